"""What questions answer whose sides are known: ``not keep["train"]``, ``name == "train"``, ``kind in ("a", "b")``."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from xlaport.analysis.containers import is_open
from xlaport.analysis.value import NONE, Value

_OPERATORS: dict[type[ast.cmpop], Callable[[object, object], bool]] = {
    ast.Eq: lambda one, other: one == other,
    ast.NotEq: lambda one, other: one != other,
}
_PLAIN = (
    ast.Name, ast.Constant, ast.Subscript, ast.Compare, ast.BoolOp, ast.UnaryOp, ast.Tuple, ast.List, ast.Set,
    ast.expr_context, ast.cmpop, ast.boolop, ast.unaryop,
)  # fmt: skip


def truth(value: Value) -> bool | None:
    """Whether a value counts as true; None where that is not known."""
    if value.type == NONE:
        return False
    return None if value.constant is None or (value.is_optional and value.constant) else bool(value.constant)


def is_plain(test: ast.expr) -> bool:
    """Whether a question is about variables alone: what an object holds, anybody may have set."""
    return all(isinstance(node, _PLAIN) for node in ast.walk(test))


def compared(operators: Sequence[ast.cmpop], sides: Sequence[Value]) -> bool | None:
    """What one comparison of two values gives; None where that is not known."""
    if len(operators) != 1 or sides[0].constant is None or any(side.is_optional for side in sides):
        return None
    one, other = sides[0].constant, sides[1]
    if isinstance(operators[0], ast.In | ast.NotIn):
        known = [None] if is_open(other) else other.keys or [part.constant for part in other.elements or ()]
        return None if not known or None in known else (one in known) is isinstance(operators[0], ast.In)
    compare = _OPERATORS.get(type(operators[0]))
    return None if compare is None or other.constant is None else compare(one, other.constant)


def either(is_or: bool, first: Sequence[Value], last: Value) -> list[Value]:
    """Which of its parts ``a or b``, or ``a and b``, may be."""
    found: list[Value] = []
    for part in first:
        holds = truth(part)
        found += [part] if holds in (None, is_or) else []
        if holds is is_or:
            return found
    return [*found, last]
