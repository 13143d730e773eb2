"""Tensors that are made of numbers of the host: who needs the numbers takes them there, and does not wait."""

from __future__ import annotations

import ast

from xlaport.analysis.value import NUMBER, Value
from xlaport.context import Context
from xlaport.facts.change import Change
from xlaport.facts.module import last_name
from xlaport.facts.names import Binding, How
from xlaport.facts.passed import passed
from xlaport.facts.role import TENSORS, Role

from .saying import say

_MAKING = frozenset("torch." + n for n in "tensor as_tensor Tensor LongTensor IntTensor FloatTensor".split())
_MAX_DEPTH = 8


def kept_on_host(context: Context, change: Change) -> str | None:
    """What to do where a number is read back that came from the host; None where it did not, as far as is known."""
    read = change.node
    if change.facts is not context.view.own or not isinstance(read, ast.Call | ast.Name):
        return None
    tensor: ast.expr | None = read
    if isinstance(read, ast.Call):
        tensor = read.func.value if isinstance(read.func, ast.Attribute) else next(iter(read.args), None)
    made = made_of_numbers(context, tensor) if tensor is not None else None
    if made is None:
        return None
    making = last_name(made.func)
    return say.phrase("numbers_on_host", name=change.name, making=making, line=context.line(made))


def counts_sizes(context: Context, change: Change) -> bool:
    """Whether a number adds up sizes in a loop over them: it changes only where they do, and the graph with them."""
    read = change.node
    if change.facts is not context.view.own or not isinstance(read, ast.Name):
        return False
    return any(binding.how is How.AUGMENT for binding in context.names.reaching(read))


def made_of_numbers(context: Context, node: ast.expr) -> ast.Call | None:
    """``torch.tensor(counts, device=device)``, where a tensor is computed from numbers that the host has."""
    return _made(context, node, 0)


def _made(context: Context, node: ast.expr, depth: int) -> ast.Call | None:
    """The call that makes a tensor of numbers, which everything that an expression may be is computed from."""
    if depth > _MAX_DEPTH:
        return None
    if isinstance(node, ast.Call):
        if context.resolve(node.func) in _MAKING:
            given = node.args[0] if node.args else None
            value = context.flow.structure.value(context.view.own, given) if given is not None else None
            return node if value is not None and _is_of_host(value) else None
        return _made(context, node.func.value, depth + 1) if isinstance(node.func, ast.Attribute) else None
    if isinstance(node, ast.BinOp):
        tensors = [side for side in (node.left, node.right) if context.roles.role(side) in TENSORS]
        found = [_made(context, side, depth + 1) for side in tensors]
        return found[0] if found and None not in found else None
    if isinstance(node, ast.Name):
        bound = [b for b in context.names.reaching(node) if not _is_number(context, b)]
        found = [_bound(context, binding, depth) for binding in bound]
        return found[0] if found and None not in found else None
    return None


def _is_number(context: Context, binding: Binding) -> bool:
    """Whether a name begins as a number of Python, as ``start = 0`` does, to which others are added."""
    value = binding.value
    return binding.how is How.ASSIGN and value is not None and context.roles.is_(value, Role.NUMBER)


def _bound(context: Context, binding: Binding, depth: int) -> ast.Call | None:
    value, index = binding.value, binding.index
    if binding.how is How.PARAMETER:
        return _passed(context, binding, depth)
    if value is None:
        return None
    if binding.how is How.UNPACK and isinstance(value, ast.Tuple) and index is not None and index < len(value.elts):
        return _made(context, value.elts[index], depth + 1)
    if binding.how is How.FOR and isinstance(value, ast.Call) and context.resolve(value.func) == "builtins.enumerate":
        value = value.args[0] if value.args else value
    is_followed = binding.how in (How.ASSIGN, How.AUGMENT, How.FOR)
    return _made(context, value, depth + 1) if is_followed else None


def _passed(context: Context, binding: Binding, depth: int) -> ast.Call | None:
    """What all calls of a function pass for a parameter, if they stand in its file."""
    facts = context.view.own
    given = passed(context.flow.structure, facts, binding)
    found = [_made(context, v, depth + 1) if v is not None and where is facts else None for where, v in given]
    return found[0] if found and None not in found else None


def _is_of_host(value: Value) -> bool:
    """Whether a value holds no tensors: sizes and numbers alone."""
    parts = value.elements or ((value.element,) if value.element is not None else ())
    return value.type == NUMBER or (bool(parts) and all(map(_is_of_host, parts)))
