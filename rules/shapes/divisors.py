"""How many values a mask selects, where something is divided by it: with all places, that is the mask's own sum."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from xlaport.context import Context
from xlaport.facts.elementwise import is_of_same_rank
from xlaport.facts.literals import integer

from ..one_line import one_line
from ..parentheses import factor
from .selection import Selection

_ALL = frozenset({"numel", "nelement"})
_OF_A_DIMENSION = frozenset({"size", "shape"})
_DIVIDING = frozenset({"div", "div_", "divide", "true_divide", "floor_divide"})


def divided(context: Context, selections: Iterable[Selection]) -> str:
    """A sentence about the sizes of what is selected that something is divided by; empty where none is."""
    found: dict[str, None] = {}
    for selected in selections:
        mask = one_line(context, selected.mask)
        count = f"{factor(selected.mask, mask)}.sum()"
        is_flat = is_of_same_rank(context.view.own, selected.mask, selected.tensor)
        for use in _uses(context, selected.node):
            size = _size(context, use)
            if size is None or not _divides(context, size):
                continue
            rest = "" if is_flat or not _counts_all(size) else ", times the numbers that each place has,"
            found[f"{count}{rest} in the place of {one_line(context, size)} in line {context.line(size)}"] = None
    return f". Divide by {', and by '.join(found)}: all places count there otherwise" if found else ""


def _uses(context: Context, node: ast.expr) -> Iterator[ast.expr]:
    """An expression, and each use of the name that it is assigned to."""
    yield node
    statement = context.module.parents[node]
    if not isinstance(statement, ast.Assign) or statement.value is not node:
        return
    for target in statement.targets:
        yield from context.names.uses_of(target)


def _size(context: Context, node: ast.expr) -> ast.expr | None:
    """``len(x)``, ``x.size(0)``, ``x.shape[0]`` and ``x.numel()`` of an expression."""
    around = context.module.parents[node]
    if isinstance(around, ast.Call) and context.resolve(around.func) == "builtins.len":
        return around
    if not isinstance(around, ast.Attribute):
        return None
    asked = context.module.parents[around]
    if isinstance(asked, ast.Call) and around.attr in _ALL:
        return asked
    if around.attr not in _OF_A_DIMENSION or not isinstance(asked, ast.Call | ast.Subscript):
        return None
    dimension = next(iter(asked.args), None) if isinstance(asked, ast.Call) else asked.slice
    return asked if integer(dimension) == 0 else None


def _counts_all(size: ast.expr) -> bool:
    return isinstance(size, ast.Call) and isinstance(size.func, ast.Attribute) and size.func.attr in _ALL


def _divides(context: Context, size: ast.expr) -> bool:
    """Whether something is divided by a size, or by the name that it has."""
    return any(_is_divisor(context, use) for use in _uses(context, size))


def _is_divisor(context: Context, node: ast.expr) -> bool:
    child: ast.AST = node
    for parent in context.module.ancestors(node):
        if isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.Div | ast.FloorDiv) and child is parent.right:
            return True
        if isinstance(parent, ast.Call) and getattr(parent.func, "attr", "") in _DIVIDING and child in parent.args[-1:]:
            return True
        if isinstance(parent, ast.stmt):
            return isinstance(parent, ast.AugAssign) and isinstance(parent.op, ast.Div | ast.FloorDiv)
        child = parent
    return False
