"""Indices of the last place, `x[:, -1]`, as they are written."""

from __future__ import annotations

import ast

from xlaport.facts.module import indices

from .selection import is_whole


def last_of(node: ast.Subscript) -> tuple[int, bool, bool] | None:
    """The dimension whose last place an index takes, whether it stays, and whether all others are taken whole."""
    elements = indices(node)
    if any(isinstance(e, ast.Constant) and e.value is None for e in elements):
        return None
    for index, element in enumerate(elements):
        keeps = _keeps_last(element)
        if keeps is None:
            continue
        others = [e for e in elements if e is not element]
        dotted = [i for i, e in enumerate(elements) if isinstance(e, ast.Constant) and e.value is ...]
        axis = index - len(elements) if dotted and dotted[0] < index else index
        whole = all(_is_whole(e) for e in others)
        return axis, keeps, whole
    return None


def _keeps_last(element: ast.expr) -> bool | None:
    """Whether the dimension stays for ``-1``, ``-1:``, ``[-1]``; None for another index."""
    if _is_last(element):
        return False
    if isinstance(element, ast.List) and len(element.elts) == 1 and _is_last(element.elts[0]):
        return True
    if isinstance(element, ast.Slice) and element.upper is None and element.step is None and _is_last(element.lower):
        return True
    return None


def _is_last(node: ast.expr | None) -> bool:
    return (
        isinstance(node, ast.UnaryOp)
        and isinstance(node.op, ast.USub)
        and isinstance(node.operand, ast.Constant)
        and node.operand.value == 1
    )


def is_rest(node: ast.Subscript) -> bool:
    """``x[:, past:]``: what is new since the last pass, whose places are others."""
    elements = indices(node)
    return any(
        isinstance(e, ast.Slice) and e.upper is None and not isinstance(e.lower, ast.UnaryOp | ast.Constant | None)
        for e in elements
    )


def part_of(node: ast.Subscript, axis: int | None) -> ast.expr | None:
    """What an index says of a dimension; None where that is not plain to see."""
    elements = indices(node)
    if axis is None or not -len(elements) <= axis < len(elements):
        return None
    before = elements[:axis] if axis >= 0 else elements[axis + 1 :]
    return None if any(isinstance(e, ast.Constant) and e.value in (None, ...) for e in before) else elements[axis]


def _is_whole(element: ast.expr) -> bool:
    return is_whole(element) or (isinstance(element, ast.Constant) and element.value is ...)
