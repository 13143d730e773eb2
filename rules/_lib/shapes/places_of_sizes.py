"""Places of a mask that comes of sizes and numbers alone: the host could list them, and yet the device is asked."""

from __future__ import annotations

from xlaport.context import Context
from xlaport.facts.true_counts import TrueCount, TrueCounts
from xlaport.wording import Text

from ..one_line import one_line
from ..series import series
from .saying import say
from .true_places import Places


def of_sizes(context: Context, places: Places) -> Text | None:
    """What is said of such places; None where the mask is made of more than sizes and numbers."""
    count = TrueCounts(context.view.own).of(places.mask)
    if count is None or count.index is not None:
        return None
    return say("XP412.sizes", call=one_line(context, places.call), passed=passed_in(context, count))


def passed_in(context: Context, count: TrueCount) -> str:
    """What else is made on the host, where a mask of sizes is: what callers pass."""
    lines = [context.line_of(site.facts, site.node) for site in count.passed]
    return say.phrase("passed_in", lines=series(lines)) if lines else ""
