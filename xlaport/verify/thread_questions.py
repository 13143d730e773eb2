"""The questions about threads beside the step loop: a loader's, a writer's. What they do belongs to no step, so it is
held against the number of all steps.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from xlaport.verify.events import Point, Site
from xlaport.verify.request import Budgets
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
        waits = ": the loop does not wait for it" if overlaps else ""
        yield finding(
            "host-read",
            "fail" if fails else "note",
            f"a thread beside the step loop reads from the device, {_times(times)} in {count} steps"
            + (": it waits for the device each time, and holds up the loop that waits for it" if fails else waits),
            "keep what this thread works on on the CPU, or hand it every n-th value" if fails else "",
            site,
            count=times,
            rule="XP301",
        )
    for (op, site), times in fallbacks.items():
        fails = op not in budgets.fallbacks and times * 2 > count
        yield finding(
            "fallback",
            "fail" if fails else "note",
            f"{op} has no XLA lowering: a thread beside the step loop runs it on the host, "
            f"{_times(times)} in {count} steps",
            "do this work on the CPU tensors, before they are moved to the device" if fails else "",
            site,
            count=times,
            rule="XP411",
        )


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def _reads(point: Point) -> bool:
    return point.kind != "fallback" and point.added.transfers > 0
