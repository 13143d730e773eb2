"""What operators give, and the functions that apply them to several values: ``sum()``, ``max()`` …"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from xlaport.analysis.certain import is_detached
from xlaport.analysis.value import ARRAY, NUMBER, PENDING, TENSOR, TEXT, UNKNOWN, Device, Value
from xlaport.facts.module import indices
from xlaport.facts.role import is_none

FETCHED = ".cpu()"
TO_HOST = '.to("cpu")'
"""The evidence of what was moved to the host, to go on with it there."""


def met(
    sides: Sequence[Value], line: int, nodes: Sequence[ast.expr] = (), by: ast.operator | ast.cmpop | None = None
) -> Value:
    """What values give that meet in an operation; of 64 bits where all are that are no numbers of Python's."""
    if isinstance(by, ast.Mod) and sides[0].type == NUMBER and sides[1].is_unknown:
        sides = sides[:1]  # a number, whatever the other is
    is_comparison = isinstance(by, ast.cmpop)
    found = _met(sides, line, nodes, is_comparison)
    wide = found.type in (ARRAY, TENSOR) and not is_comparison and all(v.wide or v.type == NUMBER for v in sides)
    detached = found.type == TENSOR and (is_comparison or all(map(is_detached, sides)))
    is_known = (found.wide, found.detached) == (wide, detached)
    return found if is_known else found._replace(wide=wide, detached=detached)


def _met(sides: Sequence[Value], line: int, nodes: Sequence[ast.expr], is_comparison: bool) -> Value:
    """A tensor of the accelerator wherever one takes part.

    A tensor of the host that has dimensions (`nodes` may show it) raises beside one of the device, and what a program
    moves to the host it goes on with there: what may lie anywhere lies beside it.
    """
    if PENDING in sides:
        return PENDING
    for place, side in enumerate(sides):
        if side.device is Device.HOST and side.type in (None, TENSOR):
            has_dimensions = bool(nodes) and _has_dimensions(nodes[place])
            is_fetched = side.because.endswith((FETCHED, TO_HOST)) and not any(map(_is_elsewhere, sides))
            if has_dimensions or is_fetched:
                return side._replace(type=TENSOR, objects=frozenset())
    found = foremost([side for side in sides if side.type in (None, TENSOR)])
    if found is not None:
        return found._replace(objects=frozenset(), constant=None)
    if any(side.type == TENSOR for side in sides):
        return UNKNOWN  # one of the host beside something unknown
    if any(side.type == ARRAY for side in sides) and all(side.type in (ARRAY, NUMBER) for side in sides):
        return Value(ARRAY, because="computed from an array", line=line)
    if sides and all(side.type == NUMBER for side in sides):
        return Value(NUMBER, because="computed from numbers", line=line)
    if any(side.type == TEXT for side in sides) and not is_comparison:
        return Value(TEXT, because="computed from a string", line=line)
    return UNKNOWN


def foremost(sides: Sequence[Value]) -> Value | None:
    """The tensor whose place is that of what they give together; None where that is not known."""
    elsewhere = [side for side in sides if side.type == TENSOR and side.device is not Device.HOST]
    if elsewhere:
        return next((side for side in elsewhere if side.device is not Device.UNKNOWN), elsewhere[0])
    of_host = [side for side in sides if side.device is Device.HOST]
    return of_host[0]._replace(type=TENSOR) if of_host and len(of_host) == len(sides) else None


def _is_elsewhere(side: Value) -> bool:
    """Whether a value is known not to be of the host."""
    if side.type == TENSOR:
        return side.device in (Device.ACCELERATOR, Device.EITHER)
    return side.type not in (None, NUMBER)


def _has_dimensions(node: ast.expr) -> bool:
    """Whether the index of a tensor shows that there are some left: ``x[:, None]``."""
    if not isinstance(node, ast.Subscript):
        return False
    return any(isinstance(part, ast.Slice) or is_none(part) for part in indices(node))
