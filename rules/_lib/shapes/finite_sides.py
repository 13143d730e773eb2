"""Sides of a choice that are not finite everywhere: `torch.where()` hands NaN back as gradient, chosen or not."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from xlaport.context import Context
from xlaport.facts.literals import number
from xlaport.facts.module import walk_block
from xlaport.facts.role import Role

from ..one_line import one_line
from ..series import series
from . import elements
from .operation import called
from .saying import say

_DIVIDING = frozenset("div divide true_divide".split())
_POWERS = frozenset("pow float_power".split())
_AWAY_FROM_ZERO = frozenset("clamp clamp_min clip maximum exp sigmoid softplus softmax cosh where".split())


def kept_finite(context: Context, sides: Iterable[ast.AST]) -> str:
    """What to do first where a side divides, or takes a root or a logarithm, of what may be 0; empty where none does.

    The gradient of the side that is left out is 0 times a derivative there, which is NaN if that is infinite.
    """
    zeros = open_at_zero(context, sides)
    if not zeros:
        return ""
    instead = series(f"`torch.where({text} {sign} 0, 1, {text})` instead of `{text}`" for text, sign in zeros)
    return f" {say.phrase('away_from_zero', instead=instead)}"


def open_at_zero(context: Context, sides: Iterable[ast.AST]) -> list[tuple[str, str]]:
    """What must not be zero where a gradient is wanted, as text, each with the comparison that finds its zeros."""
    found = [
        (one_line(context, operand), "<=" if _is_logarithm(context, node) else "==")
        for side in sides
        for node, operand in _open_at_zero(context, side)
        if not context.loops.gradients_are_off(node) and not context.roles.is_detached(node)
    ]
    return list(dict.fromkeys(found))


def _open_at_zero(context: Context, side: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    """The computations that are not finite at zero, or whose derivative is not, each with what must not be zero."""
    for node in walk_block([side]) if isinstance(side, ast.stmt) else ast.walk(side):
        operand: ast.expr | None = None
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
            operand = node.right
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow) and _is_root(node.right):
            operand = node.left
        elif isinstance(node, ast.Call) and (call := called(context, node)) is not None and call.operands:
            if call.name in elements.FINITE_AT_ONE:
                operand = call.operands[0]
            elif call.name in _DIVIDING and len(call.operands) > 1:
                operand = call.operands[1]
            elif call.name in _POWERS and len(call.operands) > 1 and _is_root(call.operands[1]):
                operand = call.operands[0]
        if operand is not None and isinstance(node, ast.expr) and _may_be_zero(context, operand):
            yield node, operand


def _is_root(exponent: ast.expr) -> bool:
    found = number(exponent)
    return found is not None and found < 1


def _is_logarithm(context: Context, node: ast.expr) -> bool:
    call = called(context, node) if isinstance(node, ast.Call) else None
    return call is not None and call.name.startswith("log")


def _may_be_zero(context: Context, node: ast.expr) -> bool:
    """Whether a tensor may hold a zero, as far as its expression tells: none that something is added to, or clamped."""
    if not context.roles.is_(node, Role.TENSOR):
        return False
    value = context.names.assigned(node) or node
    if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Add):
        return False  # `x + eps`
    call = called(context, value) if isinstance(value, ast.Call) else None
    return call is None or call.name not in _AWAY_FROM_ZERO
