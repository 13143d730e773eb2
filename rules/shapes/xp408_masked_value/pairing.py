"""Selections by two masks that meet, the n-th of one and the n-th of the other."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.wording import Text

from ..._lib.one_line import one_line
from ..._lib.parentheses import factor
from ..._lib.shapes.packed_order import uses
from ..._lib.shapes.saying import say
from ..._lib.shapes.selection import Selection, selection


def paired(context: Context, selected: Selection) -> Text | None:
    """What to do about a selection that a call takes beside one by another mask; None where none does."""
    for use in uses(context, selected.node):
        call = context.module.parents[use]
        call = context.module.parents[call] if isinstance(call, ast.keyword) else call
        if not isinstance(call, ast.Call) or call.func is use:
            continue
        for argument in [*call.args, *(k.value for k in call.keywords)]:
            other = _selected(context, argument) if argument is not use else None
            if other is not None and ast.dump(other.mask) != ast.dump(selected.mask):
                return _together(context, *_in_order(context, selected, other))
    return None


def _in_order(context: Context, one: Selection, other: Selection) -> tuple[Selection, Selection]:
    first, second = sorted((one, other), key=lambda s: context.span(s.node).start)
    return first, second


def _selected(context: Context, node: ast.expr) -> Selection | None:
    """The selection that an expression stands for, directly or by its name."""
    value = context.names.assigned(node) if isinstance(node, ast.Name) else node
    return selection(context, value) if value is not None else None


def _together(context: Context, first: Selection, second: Selection) -> Text:
    mask, other = (factor(s.mask, one_line(context, s.mask)) for s in (first, second))
    source, tensor = one_line(context, second.tensor), one_line(context, first.tensor)
    return say(
        "XP408.paired",
        first=one_line(context, first.node),
        second=one_line(context, second.node),
        tensor=tensor,
        mask=mask,
        other=other,
        source=source,
    )
