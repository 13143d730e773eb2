"""Selections that had the same number of elements in each step of a run: that many first places of the sorted mask."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import takewhile

from xlaport.context import Context
from xlaport.facts.roles import dotted
from xlaport.observed.placing import observed_in
from xlaport.rule import Edit, Import, InsertStatement, Replace
from xlaport.verify.marks import MOST_SIZES

from ..comments import has_comment
from ..host_reads.device_values import torch_name
from ..numbered import numbered
from ..one_line import one_line
from ..parentheses import factor
from .selection import Selection

_OFTEN_ENOUGH = 3
"""Times that a selection was seen, before its size counts as one that does not change."""

_MAYBE = (ast.Lambda, ast.IfExp, ast.BoolOp, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.NamedExpr)
"""What runs a part of itself not at all, or again and again; or binds a name first that the mask may ask for."""


def of_constant_counts(context: Context, selections: list[Selection]) -> tuple[list[Edit], tuple[Import, ...]] | None:
    """The edits that select as many places as a run has shown, in the same order; None where that is not known of all.

    A stable sort of the mask brings its true places to the front, and their number is none that the device has to tell.
    """
    edits: list[Edit] = []
    imports: dict[Import, None] = {}
    names = _names(context, selections)
    for selected in selections:
        found = _count(context, selected)
        if found is None or not context.editable(selected.node) or has_comment(context, selected.node):
            return None
        number, dimensions = found
        sort, more = torch_name(context, "argsort", selected.node)
        tensor = factor(selected.tensor, one_line(context, selected.tensor))
        mask = factor(selected.mask, one_line(context, selected.mask))
        if dimensions > 1:
            tensor, mask = f"{tensor}.flatten(0, {dimensions - 1})", f"{mask}.flatten()"
        places, statement = f"{sort}({mask}, descending=True, stable=True)[:{number}]", _runs_it_once(context, selected)
        if statement is not None:
            name = next(names)
            edits.append(InsertStatement(context.span(statement), f"{name} = {places}", before=True))
            places = name
        edits.append(Replace(context.span(selected.node), f"{tensor}[{places}]"))
        imports |= dict.fromkeys(more)
    return edits, tuple(imports)


def _names(context: Context, selections: list[Selection]) -> Iterator[str]:
    """Free names for places: ``kept``, ``kept_2`` …"""
    return (
        name for name in numbered("kept") if all(context.names.is_free(name, selected.node) for selected in selections)
    )


def _runs_it_once(context: Context, selected: Selection) -> ast.stmt | None:
    """The statement of a selection, where whatever runs it runs the selection once."""
    statement = context.module.statement(selected.node)
    if not isinstance(statement, ast.Assign | ast.AugAssign | ast.Return | ast.Expr):
        return None
    between = takewhile(lambda each: each is not statement, context.module.ancestors(selected.node))
    return None if any(isinstance(each, _MAYBE) for each in between) else statement


def _count(context: Context, selected: Selection) -> tuple[str, int] | None:
    """How many elements a selection has, as it is written, and how many dimensions its mask has; None: not known."""
    seen = observed_in(context.view.own)
    of_all, of_selected = seen.get(selected.tensor), seen.get(selected.node)
    if not selected.is_index or of_all is None or of_selected is None or of_selected.times < _OFTEN_ENOUGH:
        return None
    whole, part = of_all.sizes, of_selected.sizes
    ranks = {len(size) for size in whole}, {len(size) for size in part}
    if not 0 < len(part) <= MOST_SIZES or len(whole) > MOST_SIZES or any(len(rank) > 1 for rank in ranks):
        return None
    dimensions = len(whole[0]) - len(part[0]) + 1
    counts = [size[0] for size in part]
    if dimensions < 1 or not whole[0] or not all(counts):
        return None
    # With the batch, where there is one: the last one may be smaller.
    is_in_pairs = len(whole) == len(part) and all(
        size[0] * counts[0] == count * whole[0][0] for size, count in zip(whole, counts, strict=True)
    )
    if is_in_pairs and counts[0] % whole[0][0] == 0 and dotted(selected.tensor) is not None:
        each = counts[0] // whole[0][0]
        batch = f"{one_line(context, selected.tensor)}.size(0)"
        return (f" {each} * {batch}" if each > 1 else f" {batch}"), dimensions
    return (str(counts[0]), dimensions) if len(set(counts)) == 1 else None
