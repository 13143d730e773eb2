"""From events to steps: where each step ends, and what was done in it.

Three sources, the best that a script has: its barriers; else the steps of its optimizer; else the host reads
that cut its graph (an inference loop without a barrier).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace

from xlaport.verify.events import Boundary, Counts, End, Event, Point, Site, Trace

MARKER, OPTIMIZER, READ = "marker", "optimizer", "read"
COMPILED = "dynamo"
"""The kind of a step that is one run of a graph of torch.compile: it needs no barrier."""

RETRACED, GAVE_UP = "retraced", "gave-up"
"""The kinds of points in which torch.compile traced, or would have, and nothing ran."""

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
    seconds: float = 0.0
    """How long it took; 0 where no boundary of its own ends it."""
    waited: float = 0.0
    """For how many of these the main thread waited for batches."""
    beside: tuple[Point, ...] = ()
    """What threads that end no step did in the meantime: it is in none of the counts above."""
    backwards: int = 0
    """How many backward passes came from one line, that with most of them."""
    backward_site: Site | None = None

    @property
    def transfers(self) -> int:
        """Device-to-host transfers, those of all threads."""
        return self.added.transfers + sum(point.added.transfers for point in self.beside)

    @property
    def stalling(self) -> int:
        """Those of them that somebody waits for."""
        return self.transfers - sum(p.added.transfers for p in (*self.points, *self.beside) if p.overlaps)


@dataclass(frozen=True)
class Steps:
    """All steps of a run, what ended them (`source`), and what was counted in the whole run."""

    source: str
    steps: tuple[Step, ...] = ()
    totals: Counts = field(default_factory=Counts)
    markers: int = 0
    optimizer_steps: int = 0
    optimizer_site: Site | None = None
    background: tuple[Point, ...] = ()
    """What was done in threads that end no step, such as a loader's: it is in none of the steps, but in the totals."""


@dataclass
class _Interval:
    """What lies between two boundaries; the last one of a run is not closed by any."""

    points: list[Point] = field(default_factory=list)
    beside: list[Point] = field(default_factory=list)
    optimizer_steps: int = 0
    moved: Counts = field(default_factory=Counts)
    """What belongs to the step before."""
    close: Boundary | None = None


_A_LOOP = 3
"""A read that runs the pending graph this often without a barrier is in a loop of its own."""
_LEAST = 8
"""Operations of the graph of a step, at least: less is a quotient of two sums, or another number that is shown."""
_DIRECT, _BY_LIBRARY = 2, 1
"""What one read weighs: a library may read several times in one call, which is not yet a loop."""


def is_sparse(markers: int, optimizer_steps: int) -> bool:
    """Whether there are too few barriers for the optimizer steps that were made."""
    return optimizer_steps >= 3 and markers * _SPARSE <= optimizer_steps


def split(trace: Trace, device: str = "CPU", source: str | None = None) -> Steps:
    """The steps of a process. `source` forces one; else it is barriers where there are any."""
    ops = CPU_ONLY_FALLBACKS if device == "CPU" else frozenset()
    events = list(_without(trace.events, lambda point: point.added.fallbacks and set(point.added.fallbacks) <= ops))
    aside, totals = _background(events), _final(events)
    numbers = {id(point) for point in aside}
    events = list(_without(events, lambda point: id(point) in numbers, kept=True))
    boundaries = [event for event in events if isinstance(event, Boundary)]
    stepped = Counter(event.optimizer for event in boundaries if event.source == OPTIMIZER)
    optimizer, optimizer_steps = stepped.most_common(1)[0] if stepped else (None, 0)
    markers = sum(event.source == MARKER for event in boundaries)
    if source is None:
        source = MARKER if markers else OPTIMIZER if optimizer_steps else READ
    steps = _collect(events, source, optimizer, numbers)
    site = next((event.site for event in reversed(boundaries) if event.optimizer == optimizer), None)
    return Steps(source, tuple(steps), totals, markers, optimizer_steps, site if stepped else None, tuple(aside))


def _background(events: Sequence[Event]) -> list[Point]:
    """The points of threads that the script has started and that end no step, while another thread does."""
    stepping = {event.thread for event in events if isinstance(event, Boundary)}
    if not stepping:
        return []
    return [event for event in events if isinstance(event, Point) and event.thread and event.thread not in stepping]


def _final(events: Iterable[Event]) -> Counts:
    totals = Counts()
    for event in events:
        if isinstance(event, Point):
            totals = totals + event.added
        elif isinstance(event, Boundary | End):
            # Counted by torch_xla itself: knows what no point has seen.
            totals = event.totals
    return totals


def _without(events: Iterable[Event], leave_out: Callable[[Point], object], *, kept: bool = False) -> Iterable[Event]:
    """The events as if some points had not been: neither their fallbacks nor their transfers and extra graphs.

    Points that are `kept` stay where they are, but are in no count.
    """
    gone = Counts()
    for event in events:
        if isinstance(event, Point) and leave_out(event):
            gone = gone + event.added
            if kept:
                yield event
        elif isinstance(event, Point):
            yield event
        elif isinstance(event, Boundary | End):
            yield replace(event, totals=event.totals - gone)
        else:
            yield event


def _collect(events: list[Event], source: str, optimizer: int | None, aside: Collection[int]) -> list[Step]:
    intervals = _intervals(events, source, optimizer, aside)
    splits = _read_loops(intervals)
    steps: list[Step] = []
    before, began, had_waited = Counts(), 0.0, 0.0
    for interval, reader in zip(intervals, splits, strict=True):
        points = interval.points
        if reader is not None:
            cut = 1 + max(index for index, point in enumerate(points) if _executes_at(point, reader))
            for group in _cut(points[:cut], reader):
                added = sum((point.added for point in group), Counts())
                kind = COMPILED if group[-1].kind == COMPILED else READ
                steps.append(Step(len(steps) + 1, kind, reader, added, tuple(group)))
                interval.moved = interval.moved + added
            points = points[cut:]
        if interval.close is None:
            continue
        totals = interval.close.totals
        added = totals - before - interval.moved
        before = totals
        steps.append(
            Step(
                len(steps) + 1,
                interval.close.kind,
                interval.close.site,
                added,
                tuple(points),
                interval.optimizer_steps,
                interval.close.seconds - began,
                interval.close.waited - had_waited,
                tuple(interval.beside),
                interval.close.backwards,
                interval.close.backward_site,
            )
        )
        began, had_waited = interval.close.seconds, interval.close.waited
    return steps


def _intervals(events: Iterable[Event], source: str, optimizer: int | None, aside: Collection[int]) -> list[_Interval]:
    """What was done between the boundaries of one source; `READ` has none. `aside`: the points of threads beside."""
    intervals = [_Interval()]
    for event in events:
        current = intervals[-1]
        if isinstance(event, Point) and id(event) in aside:
            current.beside.append(event)
        elif isinstance(event, Point):
            if source == MARKER and len(intervals) > 1 and not _opens(event, current):
                # A read of what the last graph has computed: `sync(); loss.item()` is one step, not two.
                closed = intervals[-2]
                closed.points.append(event)
                current.moved = current.moved + event.added
                closed.moved = closed.moved - event.added
            else:
                current.points.append(event)
        elif isinstance(event, Boundary):
            ours = event.source == OPTIMIZER and event.optimizer == optimizer
            current.optimizer_steps += ours
            if event.source == source and (ours or source == MARKER):
                current.close = event
                intervals.append(_Interval())
    return intervals


def _opens(point: Point, current: _Interval) -> bool:
    """Whether a point belongs to the step that is open: it runs pending work, traces, or follows a point that did."""
    does = bool(point.added.executions or point.added.compiles or point.kind in (RETRACED, GAVE_UP))
    return bool(current.points or current.optimizer_steps) or does


def _read_loops(intervals: list[_Interval]) -> list[Site | None]:
    """For each interval the place where a loop without a barrier reads, if there is such a loop in it.

    An eval loop with an ``.item()`` and no barrier ends its steps there. A loop over the parameters that reads in
    every training step looks alike, but is in most intervals, if only as a read or two behind the first step of an
    optimizer: it is a part of the step, and not cut out. Neither are several reads in one line, those of numbers
    that what the barriers have computed is only divided for, such as the averages of an epoch, and those of graphs that
    are no model's: a check of all parameters, the metrics of a batch.
    """
    plain: Counter[Site | None] = Counter()
    for point in (point for interval in intervals for point in interval.points if point.plain is not None):
        plain[point.site] += 1 if point.plain else -1
    found: list[Site | None] = []
    usual = Counter(
        site for interval in intervals for site in {point.site for point in interval.points if point.added.executions}
    )
    for interval in intervals:
        passes: Counter[tuple[Site, int]] = Counter()
        for point in interval.points:
            backward = point.kind == COMPILED and point.backward  # of a training step: no loop of its own
            small = _operations(point.added) < _LEAST or plain[point.site] > 0
            trifle = len(intervals) > 1 and small
            if point.site and point.added.executions and not backward and (point.kind == COMPILED or not trifle):
                passes[point.site, point.offset] += _DIRECT if point.direct else _BY_LIBRARY
        counts: Counter[Site] = Counter()
        for (place, _), weight in passes.items():
            counts[place] = max(counts[place], weight)
        most = max(counts.values(), default=0)
        if most <= interval.optimizer_steps * _DIRECT:
            most = 0  # read once in each training step: those have no barrier, and no loop of their own
        # Of several reads in the loop, the last one ends its step.
        sites = (point.site for point in reversed(interval.points) if point.site)
        last = next((site for site in sites if counts[site] == most), None)
        found.append(last if most >= _A_LOOP * _DIRECT else None)
    closed = len(intervals) - 1
    if closed and sum(site is not None for site in found) * 2 > closed + 1:
        return [None] * len(intervals)
    return [None if closed and usual[site] * 2 > closed + 1 else site for site in found]


def _operations(added: Counts) -> float:
    """How many operations a graph has; where each of them is a program of its own, how many of these ran."""
    return added.nodes / added.executions if added.nodes and added.executions else added.executions


def _executes_at(point: Point, site: Site) -> bool:
    return point.site == site and point.added.executions > 0


def _cut(points: Iterable[Point], reader: Site) -> Iterable[list[Point]]:
    group: list[Point] = []
    for point in points:
        group.append(point)
        if _executes_at(point, reader):
            yield group
            group = []
