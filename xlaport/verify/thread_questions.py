"""The questions about threads beside the step loop: a loader's, a writer's. What they do belongs to no step, so it is
held against the number of all steps.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from xlaport.verify.events import Point, Site
from xlaport.verify.request import Budgets
from xlaport.verify.saying import say
from xlaport.verify.steps import Steps
from xlaport.verify.verdict import VerdictFinding, finding


def beside(steps: Steps, budgets: Budgets) -> Iterator[VerdictFinding]:
    """Do threads that end no step read from the device, or fall back, as often as there are steps?"""
    count = len(steps.steps)
    if not count:
        return
    reads: Counter[tuple[Site | None, bool]] = Counter()
    fallbacks: Counter[tuple[str, Site | None]] = Counter()
    for point in steps.background:
        if _reads(point):
            reads[point.site, point.overlaps] += point.added.transfers
        for op, calls in point.added.fallbacks.items():
            fallbacks[op, point.site] += calls
    for (site, overlaps), times in reads.items():
        fails = not overlaps and times > budgets.transfers * count
        key = "host-read.thread" if fails else "host-read.thread_overlaps" if overlaps else "host-read.thread_rare"
        said = say(key, times=_times(times), count=count)
        yield finding(said, "fail" if fails else "note", site, count=times, rule="XP301")
    for (op, site), times in fallbacks.items():
        fails = op not in budgets.fallbacks and times * 2 > count
        said = say("fallback.thread", op=op, times=_times(times), count=count)
        said = said if fails else said.without_recipe()
        yield finding(said, "fail" if fails else "note", site, count=times, rule="XP411")


def _times(count: int) -> str:
    return say.phrase("once in" if count == 1 else "times in", count=count)


def _reads(point: Point) -> bool:
    return point.kind != "fallback" and point.added.transfers > 0
