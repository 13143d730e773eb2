"""What `torch.where()` is to choose between on the device, as text: no tensor of the host, which raises there."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.facts.literals import number
from xlaport.facts.role import Role

from ..host_reads.device_values import spelled
from ..one_line import one_line
from .placed import device_of

_OF_NUMBERS = frozenset({"torch.tensor", "torch.as_tensor", "torch.scalar_tensor"})


def side(context: Context, value: ast.expr, asked: ast.expr) -> str:
    """A value to choose; `asked` is the tensor that decides, on whose device it has to lie."""
    if (bare := _number(context, value)) is not None:
        return bare
    if context.roles.is_(value, Role.HOST_TENSOR):
        return _moved(context, " ".join(spelled(context, value).split()), asked)
    return one_line(context, value)


def before(context: Context, name: str, branch: ast.If, asked: ast.expr) -> str:
    """The value that a name has in front of a branch."""
    inside = set(ast.walk(branch))
    found = [b.value for b in context.names.visible(name, branch) if b.node not in inside and b.value is not None]
    on_host = any(context.roles.is_(value, Role.HOST_TENSOR) for value in found)
    return _moved(context, name, asked) if on_host else name


def _moved(context: Context, text: str, asked: ast.expr) -> str:
    return f"{text}.to({device_of(context, asked, asked)})"


def _number(context: Context, value: ast.expr) -> str | None:
    """``0.0`` of ``torch.tensor(0.0)``: `torch.where` takes numbers as they are."""
    if not isinstance(value, ast.Call) or context.resolve(value.func) not in _OF_NUMBERS or len(value.args) != 1:
        return None
    is_plain = number(value.args[0]) is not None and all(k.arg in ("dtype", "device") for k in value.keywords)
    return ast.unparse(value.args[0]) if is_plain else None
