"""From events to steps: where each step ends, and what was done in it.

Three sources, the best that a script has: its barriers; else the steps of its optimizer; else the host reads
that cut its graph (an inference loop without a barrier).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from xlaport.verify.events import Boundary, Counts, End, Event, Point, Site, Trace

MARKER, OPTIMIZER, READ = "marker", "optimizer", "read"

CPU_ONLY_FALLBACKS = frozenset({"aten::upsample_nearest2d_backward", "aten::upsample_bilinear2d_backward"})
"""Fall back on XLA:CPU and are lowered on TPU (torch_xla 2.9, aten_xla_type.cpp): not the script's fault."""

_SPARSE = 4
"""A script that makes this many optimizer steps for each barrier, or more, may have none in its step loop."""


@dataclass(frozen=True)
class Step:
    """What was done from the end of the step before to the end of this one. `number` counts from 1.

    `optimizer_steps`: how often the script's busiest optimizer stepped in it.
    """

    number: int
    kind: str
    site: Site | None
    added: Counts
    points: tuple[Point, ...] = ()
    optimizer_steps: int = 0


@dataclass(frozen=True)
class Steps:
    """All steps of a run, what ended them (`source`), and what was counted in the whole run."""

    source: str
    steps: tuple[Step, ...] = ()
    totals: Counts = field(default_factory=Counts)
    markers: int = 0
    optimizer_steps: int = 0
    optimizer_site: Site | None = None


@dataclass
class _Open:
    """A step that is being collected."""

    points: list[Point] = field(default_factory=list)
    moved: Counts = field(default_factory=Counts)
    optimizer_steps: int = 0


def is_sparse(markers: int, optimizer_steps: int) -> bool:
    """Whether there are too few barriers for the optimizer steps that were made."""
    return optimizer_steps >= 3 and markers * _SPARSE <= optimizer_steps


def split(trace: Trace, device: str = "CPU", source: str | None = None) -> Steps:
    """The steps of a process. `source` forces one; else it is barriers where there are any."""
    events = list(_without(trace.events, CPU_ONLY_FALLBACKS if device == "CPU" else frozenset()))
    boundaries = [event for event in events if isinstance(event, Boundary)]
    stepped = Counter(event.optimizer for event in boundaries if event.source == OPTIMIZER)
    optimizer, optimizer_steps = stepped.most_common(1)[0] if stepped else (None, 0)
    markers = sum(event.source == MARKER for event in boundaries)
    if source is None:
        source = MARKER if markers else OPTIMIZER if optimizer_steps else READ
    steps = _collect(events, source, optimizer)
    site = next((event.site for event in reversed(boundaries) if event.optimizer == optimizer), None)
    return Steps(source, tuple(steps), _final(events), markers, optimizer_steps, site if stepped else None)


def _final(events: Iterable[Event]) -> Counts:
    totals = Counts()
    for event in events:
        if isinstance(event, Point):
            totals = totals + event.added
        elif isinstance(event, Boundary | End):
            # Counted by torch_xla itself: knows what no point has seen.
            totals = event.totals
    return totals


def _without(events: Iterable[Event], ops: frozenset[str]) -> Iterable[Event]:
    """The events as if the fallbacks of `ops` had not been: neither they nor their transfers and extra
    graphs.
    """
    gone = Counts()
    for event in events:
        if isinstance(event, Point) and event.added.fallbacks and set(event.added.fallbacks) <= ops:
            gone = gone + event.added
        elif isinstance(event, Point):
            yield event
        elif isinstance(event, Boundary | End):
            yield replace(event, totals=event.totals - gone)
        else:
            yield event


def _collect(events: list[Event], source: str, optimizer: int | None) -> list[Step]:
    steps: list[Step] = []
    current, before, running = _Open(), Counts(), Counts()
    reader = _busiest_reader(events) if source == READ else None

    def close(kind: str, site: Site | None, totals: Counts) -> None:
        nonlocal current, before
        added = totals - before - current.moved
        steps.append(Step(len(steps) + 1, kind, site, added, tuple(current.points), current.optimizer_steps))
        current, before = _Open(), totals

    for event in events:
        if isinstance(event, Point):
            running = running + event.added
            if source == MARKER and steps and not _opens(event, current):
                # A read of what the last graph has computed: `sync(); loss.item()` is one step, not two.
                last = steps[-1]
                steps[-1] = replace(last, added=last.added + event.added, points=(*last.points, event))
                current.moved = current.moved + event.added
            else:
                current.points.append(event)
                if reader is not None and event.site == reader and event.added.executions:
                    close(event.kind, event.site, running)
        elif isinstance(event, Boundary):
            if event.source == OPTIMIZER and event.optimizer == optimizer:
                current.optimizer_steps += 1
            if event.source == source and (source == MARKER or event.optimizer == optimizer):
                close(event.kind, event.site, event.totals)
                running = event.totals
    return steps


def _opens(point: Point, current: _Open) -> bool:
    """Whether a point belongs to the step that is open: it runs pending work, or follows a point that did."""
    return bool(current.points or current.optimizer_steps or point.added.executions or point.added.compiles)


def _busiest_reader(events: Iterable[Event]) -> Site | None:
    counts = Counter(
        event.site for event in events if isinstance(event, Point) and event.added.executions and event.site
    )
    return counts.most_common(1)[0][0] if counts else None
