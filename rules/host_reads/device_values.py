"""Values that are read from the device, as they are spelled without the read."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

from xlaport.context import Context
from xlaport.facts import vocabulary as torch_api
from xlaport.facts.held import Held, Kind
from xlaport.facts.module import FunctionNode
from xlaport.facts.reads import HostRead
from xlaport.facts.tensors import Tensors
from xlaport.rule import Import
from xlaport.target import Symbol

_CARRYING = frozenset({"detach", "cpu", "numpy", "clone"})
"""Methods that stand between a tensor and the number that is made of it."""
_NARROW = re.compile(r"half|float16|autocast|[fb]f?p?16|(?<![a-z])amp(?![a-z])", re.IGNORECASE)
_ATOMS = ast.Name | ast.Attribute | ast.Call | ast.Subscript


@dataclass(frozen=True)
class DeviceValue:
    """A number that is read: `node` is all of the reading, ``float(loss.cpu())``; `text` is its value on the device."""

    node: ast.expr
    tensor: ast.expr
    """What is read, without ``.detach()`` and ``.cpu()``."""
    text: str
    held: Held


def device_value(context: Context, tensors: Tensors, read: HostRead) -> DeviceValue | None:
    """The number that a read is a part of; None where it is none, or more is done to it on the host."""
    node, is_number = _whole(context, read.node)
    base = _base(read.tensor)
    held = tensors.held(context.view.own, base)
    if not is_number or held.kind is None or not held.is_scalar:
        return None
    if _truncates(context, node) and held.kind is Kind.FLOAT:
        return None
    text = spelled(context, base)
    if held.kind is Kind.FLOAT and not is_without_gradient(context, node):
        text += ".detach()"
    return DeviceValue(node, base, text, held)


def spelled(context: Context, node: ast.expr) -> str:
    """An expression's text, so that a method can be called on it."""
    text = context.module.segment(node)
    if not isinstance(node, _ATOMS):
        return f"({text})"
    try:
        ast.parse(text, mode="eval")
    except SyntaxError:
        return f"({text})"  # its parentheses allow it several lines
    return text


def _whole(context: Context, node: ast.expr) -> tuple[ast.expr, bool]:
    """All of the reading that a read is a part of, and whether it makes a number of one element."""
    is_number = False
    while True:
        if _is_number(context, node):
            is_number = True
        parent = context.module.parents[node]
        if isinstance(parent, ast.Attribute):
            call = context.module.parents[parent]
            if parent.attr == "data":
                node = parent
                continue
            is_call = isinstance(call, ast.Call) and call.func is parent and not call.args and not call.keywords
            if is_call and parent.attr in (*_CARRYING, "item", "tolist"):
                assert isinstance(call, ast.Call)
                node = call
                continue
        elif isinstance(parent, ast.Call) and parent.args == [node] and not parent.keywords:
            if context.resolve(parent.func) in ("builtins.float", "builtins.int"):
                node = parent
                continue
        return node, is_number


def _is_number(context: Context, node: ast.expr) -> bool:
    """``….item()``, ``float(…)``, or the array without dimensions that ``.numpy()`` gives."""
    if not isinstance(node, ast.Call):
        return False
    if isinstance(node.func, ast.Attribute) and node.func.attr in ("item", "tolist", "numpy"):
        return True
    return context.resolve(node.func) in ("builtins.float", "builtins.int")


def _truncates(context: Context, node: ast.expr) -> bool:
    return any(isinstance(n, ast.Call) and context.resolve(n.func) == "builtins.int" for n in ast.walk(node))


def _base(tensor: ast.expr) -> ast.expr:
    while True:
        if isinstance(tensor, ast.Attribute) and tensor.attr == "data":
            tensor = tensor.value
        elif (
            isinstance(tensor, ast.Call)
            and isinstance(tensor.func, ast.Attribute)
            and tensor.func.attr in _CARRYING
            and not tensor.args
        ):
            tensor = tensor.func.value
        else:
            return tensor


def is_without_gradient(context: Context, node: ast.AST) -> bool:
    """Whether code runs under ``torch.no_grad()``."""
    for parent in context.module.ancestors(node):
        if isinstance(parent, ast.With | ast.AsyncWith):
            if any(_switches_off(context, item.context_expr) for item in parent.items):
                return True
        if isinstance(parent, FunctionNode):
            return any(_switches_off(context, decorator) for decorator in parent.decorator_list)
    return False


def _switches_off(context: Context, node: ast.expr) -> bool:
    return context.resolve(node.func if isinstance(node, ast.Call) else node) in torch_api.GRAD_OFF


def may_be_narrow(context: Context) -> bool:
    """Whether the file speaks of half precision, so that a loss may have no more than eight bits."""
    return any(
        _NARROW.search(word) is not None
        for node in context.module.nodes
        for word in (
            [node.id] if isinstance(node, ast.Name)
            else [node.attr] if isinstance(node, ast.Attribute)
            else [node.value] if isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) < 20
            else []
        )
    )  # fmt: skip


def is_cast(tensor: ast.expr) -> bool:
    """``loss.float()``."""
    return isinstance(tensor, ast.Call) and isinstance(tensor.func, ast.Attribute) and tensor.func.attr in (
        "float", "double",
    )  # fmt: skip


def torch_name(context: Context, attribute: str, node: ast.AST) -> tuple[str, tuple[Import, ...]]:
    """How to write a function of torch at a node."""
    return context.spell(Symbol(Import("torch", "torch"), attribute), node)
