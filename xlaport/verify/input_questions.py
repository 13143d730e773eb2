"""The questions about what comes in: do batches come fast enough, and all of them? Is each parameter still one?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xlaport.verify.events import STALE, LoaderFailed, Noticed, Trace, Untied
from xlaport.verify.phases import Phase
from xlaport.verify.saying import say
from xlaport.verify.steps import Step
from xlaport.verify.verdict import VerdictFinding, finding

STARVED = 0.3
"""Share of a step's time that it may wait for its batch: beyond it, faster steps would gain little."""

AT_ONCE = 8
"""Batches that torch_xla's loaders send to the device together: one step waits for all of them (torch_xla 2.9)."""

NOTABLE = 0.01
"""Seconds: a shorter wait in a step may be what it takes to get a ready batch from a queue, on a busy machine."""


def starved(phases: Sequence[Phase]) -> Iterator[VerdictFinding]:
    """Do steps wait for their batches?"""
    for phase in phases:
        steady = [step for step in phase.steady if step.seconds > 0]
        if not steady:
            continue
        waited, seconds = _usual(steady)
        if waited <= max(STARVED * seconds, NOTABLE):
            continue
        yield finding(
            say("starved.waits", share=waited / seconds, waited=1000 * waited, step=1000 * seconds),
            "note",
            phase.site,
            count=len(steady),
            steps=(step.number for step in steady),
            rule="XP202",
        )


def _usual(steps: Sequence[Step]) -> tuple[float, float]:
    """How long a step waits, and how long it takes, of steps that follow each other, in the middle one of such groups.

    So that the workers of an epoch take their time to start says nothing of the other steps.
    """
    size = AT_ONCE if len(steps) >= 2 * AT_ONCE else 1
    groups = [steps[n : n + size] for n in range(0, len(steps) - size + 1, size)]
    sums = sorted((sum(s.waited for s in g) / size, sum(s.seconds for s in g) / size) for g in groups)
    return sums[(len(sums) - 1) // 2]


def samples_lost(trace: Trace) -> Iterator[VerdictFinding]:
    """Did an epoch end early because a loader's thread died of an error?"""
    failed = [event for event in trace.events if isinstance(event, LoaderFailed) and event.background]
    seen: dict[tuple[object, str], list[LoaderFailed]] = {}
    for event in failed:
        seen.setdefault((event.site, event.error), []).append(event)
    for (_, error), events in seen.items():
        first = events[0]
        batches = f"{first.delivered} of {first.expected}" if first.expected is not None else f"{first.delivered}"
        times = say.phrase("times", count=len(events)) if len(events) > 1 else ""
        said = say("samples-lost.dropped", error=error, batches=batches, times=times)
        yield finding(said, "fail", first.site, count=len(events), rule="XP202")


def stale_averages(trace: Trace) -> Iterator[VerdictFinding]:
    """Are evaluations made with averages that training should have moved?"""
    for event in trace.events:
        if isinstance(event, Noticed) and event.what == STALE:
            yield finding(say("stale-averages.evaluated", version=event.detail), "fail", event.site)


def untied(trace: Trace) -> Iterator[VerdictFinding]:
    """Were parameters one before the model moved to the device, and are several now?"""
    for event in trace.events:
        if isinstance(event, Untied):
            first, *others = event.names
            names = " and ".join(event.names) if len(others) < 3 else f"{first} and {len(others)} more"
            said = say("untied.apart", names=names, count=len(event.names), first=first, second=others[0])
            yield finding(said, "fail", event.site, count=len(event.names), rule="XP205")
