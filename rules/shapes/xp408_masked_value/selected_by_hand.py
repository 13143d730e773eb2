"""What to do about selections that nobody can rewrite, in the user's own names."""

from __future__ import annotations

from dataclasses import replace

from xlaport.context import Context
from xlaport.facts.elementwise import is_of_same_rank
from xlaport.facts.true_counts import TrueCount, TrueCounts
from xlaport.wording import Text

from ..._lib.one_line import one_line
from ..._lib.parentheses import factor
from ..._lib.series import series
from ..._lib.shapes.batch_norms import counted
from ..._lib.shapes.boxes import to_host
from ..._lib.shapes.places_of_sizes import passed_in
from ..._lib.shapes.saying import say
from ..._lib.shapes.selection import Selection
from ..._lib.shapes.where_placed import if_placed


def by_hand(context: Context, selections: list[Selection]) -> Text:
    """What is said of one or several selections by one mask."""
    first = selections[0]
    count = TrueCounts(context.view.own).of(first.mask)
    if count is not None:
        return _of_sizes(context, first, count)
    text = _general(context, selections)
    host = to_host(context, first.node)
    return replace(text, recipe=host, snippet="") if host is not None else text


def _of_sizes(context: Context, first: Selection, count: TrueCount) -> Text:
    """Where sizes, or an index, say how many places are true."""
    tensor, mask = factor(first.tensor, one_line(context, first.tensor)), one_line(context, first.mask)
    if count.index is None:
        like = say.phrase("by_sizes", names=series(f"`{name}()`" for name in count.like)) if count.like else ""
        return say("XP408.sizes", mask=mask, passed=passed_in(context, count), like=like, index=f"{tensor}[{mask}]")
    index = factor(count.index, one_line(context, count.index))
    return say("XP408.row", what=one_line(context, first.node), tensor=tensor, index=index)


def _general(context: Context, selections: list[Selection]) -> Text:
    first, *others = selections
    mask, lines = (
        one_line(context, first.mask),
        dict.fromkeys(context.line(s.node) for s in others if s.node.lineno != first.node.lineno),
    )
    is_flat = is_of_same_rank(context.view.own, first.mask, first.tensor)
    return say(
        "XP408.left",
        what=one_line(context, first.node),
        where=if_placed(context, first.tensor),
        mask=mask,
        length=f"{factor(first.mask, mask)}.sum()",
        count=f"{factor(first.mask, mask)}{'' if is_flat else '.expand_as(values)'}.sum()",
        dimensions="" if is_flat else say.phrase("mask_dimensions"),
        norms=counted(context, (s.node for s in selections)),
        more=say.phrase("same_mask", s="s" * (len(lines) > 1), lines=series(lines)) if lines else "",
    )
