"""How to write, in an advice, the device that a tensor lies on: by names that are bound where it is read."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.facts.names import How
from xlaport.facts.role import Role
from xlaport.facts.roles import dotted

from ..one_line import one_line
from .standing import is_repeatable

_NAME = "device"
_SHORT = 40
_JOINING = frozenset("cat concat concatenate stack hstack vstack dstack column_stack".split())
"""Functions that get several tensors, as one argument."""


def device_of(context: Context, tensor: ast.expr | None, node: ast.AST) -> str:
    """The device of a tensor, as text to be written where `node` stands.

    By the tensor that the expression is computed of, if that has a name; else by a name for the device that the code
    has there; else by the expression itself, if it is short, or by what torch_xla calls its device.
    """
    named = _named(context, tensor)
    if named is not None:
        return f"{named}.device"
    if _is_a_device(context, node):
        return _NAME
    text = one_line(context, tensor) if tensor is not None else ""
    if tensor is not None and len(text) <= _SHORT and _is_of_device(context, tensor):
        return f"{text}.device"
    return f"{context.symbol('device', node)[0]}()"


def _is_of_device(context: Context, tensor: ast.expr) -> bool:
    """Whether an expression is a tensor of the device, and costs nothing where it is written once more."""
    return context.roles.is_(tensor, Role.TENSOR) and is_repeatable(context, tensor)


def _named(context: Context, tensor: ast.expr | None) -> str | None:
    """``x`` of ``x[0].flatten()``, ``torch.relu(x)``, ``torch.cat([x, y])`` and ``layer(x)``."""
    while tensor is not None and dotted(tensor) is None:
        if isinstance(tensor, ast.Subscript | ast.Attribute):
            tensor = tensor.value
        elif isinstance(tensor, ast.List | ast.Tuple):
            tensor = next(iter(tensor.elts), None)
        elif isinstance(tensor, ast.Compare | ast.BinOp):
            sides = [tensor.left, *(tensor.comparators if isinstance(tensor, ast.Compare) else [tensor.right])]
            tensor = next((side for side in sides if context.roles.is_(side, Role.TENSOR)), None)
        elif isinstance(tensor, ast.UnaryOp):
            tensor = tensor.operand
        elif isinstance(tensor, ast.Call):
            tensor = _operand(context, tensor)
        else:
            return None
    if tensor is None or context.roles.is_(tensor, Role.HOST_TENSOR):
        return None
    return dotted(tensor) if context.singles.is_one(context.view.own, tensor) is not False else None


def _operand(context: Context, call: ast.Call) -> ast.expr | None:
    """The tensor that a method is called on, or that a function gets in the first place."""
    if isinstance(call.func, ast.Attribute) and context.roles.is_(call.func.value, Role.TENSOR):
        return call.func.value
    given = next(iter(call.args), None)
    if (context.resolve(call.func) or "").rpartition(".")[2] in _JOINING:
        return given if isinstance(given, ast.List | ast.Tuple) else None
    return given if given is not None and context.roles.is_(given, Role.TENSOR) else None


def _is_a_device(context: Context, node: ast.AST) -> bool:
    """Whether the code has the name `device` for one, and has bound it above."""
    return any(
        binding.how in (How.ASSIGN, How.UNPACK, How.PARAMETER) and _line(binding.node) <= _line(node)
        for binding in context.names.visible(_NAME, node)
    )


def _line(node: ast.AST) -> int:
    return int(getattr(node, "lineno", 0))
