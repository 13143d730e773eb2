"""Why steps of a loop were compiled anew, and what to do about it, in the words of a report."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xlaport.verify.differences import BOUNDS, GROWTH, GUARD, LAST_BATCH, NUMBER, OPERATIONS, SHAPE, SPECIAL
from xlaport.verify.events import Point, Site
from xlaport.verify.phases import Phase
from xlaport.verify.steps import Step

DATA_DEPENDENT = frozenset(
    {
        "aten::nonzero",
        "aten::masked_select",
        "aten::_unique2",
        "aten::unique_dim",
        "aten::unique_consecutive",
        "aten::repeat_interleave",
        "aten::bincount",
        "torchvision::nms",
    }
)
"""Ops whose result has as many rows as the data asks for: a new shape, and so a new graph, for each count."""

KEEP_TO_GUARDS = (
    "keep to the same shapes, dtypes and options in each call, and hand numbers that change over as tensors on the "
    "device"
)
"""What to do where a guard of torch.compile fails again and again."""
_FAILS = {
    SHAPE: "keep its shape the same: pad to one of a few lengths, or cut; each new shape is one more graph",
    LAST_BATCH: "drop_last=True in the DataLoader leaves the last batch out; or pad it to a whole one, with a mask",
    GROWTH: "make it once with its final size and write into it at a place that is a tensor on the device, or collect "
    "the values in a list on the host",
    NUMBER: "keep the number the same, or hand it over as a tensor on the device (torch.tensor(value, device=device)): "
    "a tensor is an input of the graph, a Python number a part of it",
    SPECIAL: "keep the number the same, or hand it over as a tensor on the device (torch.tensor(value, device=device))",
    BOUNDS: "slice and index by tensors on the device (index_select, index_copy, torch.where), not by a Python number "
    "that changes",
    OPERATIONS: "each way through the step is a graph of its own: keep to a few; or torch.where",
    GUARD: KEEP_TO_GUARDS,
}
"""What to do, by what differs."""
_FINE = {
    SHAPE: "a few shapes are fine",
    LAST_BATCH: "once is fine; drop_last=True or padding would save it",
    GROWTH: "a few sizes are fine",
    SPECIAL: "there are three such numbers, so it ends",
    OPERATIONS: "a few kinds of steps are fine",
}
"""The same where it stays within the budgets."""
_ANY_FAILS = "keep all shapes the same: drop_last=True, pad to a few sizes, no counter in a shape or slice"
_ANY_FINE = "a bounded set of graphs is fine"
"""What to do where it is not known what differs."""
_UNKNOWN = "a shape, or a Python number that became part of the graph, was new"


@dataclass(frozen=True)
class Recompiled:
    """Steady steps that compiled at one line (`site`), for the same `cause` as far as that is known."""

    site: Site | None
    cause: Site | None
    steps: tuple[Step, ...]
    points: tuple[Point, ...]

    @property
    def count(self) -> int:
        """How many graphs were compiled."""
        seen = sum(point.added.compiles for point in self.points)
        return seen + sum(step.added.compiles for step in self.steps if not step.points)


def by_cause(phase: Phase, compiled: Sequence[Step]) -> Iterator[Recompiled]:
    """The steps of a loop that compiled, by the line that the run showed it at and the line that made the graph differ.

    What was not looked into, as happens to the many behind the first ones, is laid to what caused most of those.
    """
    found: dict[Site | None, list[tuple[Step, Point | None]]] = defaultdict(list)
    for step in compiled:
        points = [point for point in step.points if point.added.compiles]
        for point in points:
            found[point.site].append((step, point))
        if not points:
            found[phase.site].append((step, None))
    for site, seen in found.items():
        culprits = sorted(filter(None, _data_dependent([step for step, _ in seen]).values()), key=str)
        causes = Counter(point.place for _, point in seen if point and point.place)
        usual = next((place for place, _ in causes.most_common(1)), None)
        groups: dict[Site | None, list[tuple[Step, Point | None]]] = defaultdict(list)
        for step, shown in seen:
            groups[culprits[0] if culprits else (shown.place if shown else None) or usual].append((step, shown))
        for cause, group in groups.items():
            steps = tuple({step.number: step for step, _ in group}.values())
            yield Recompiled(site, cause, steps, tuple(point for _, point in group if point))


def why(group: Recompiled, phase: Phase, fails: bool) -> tuple[str, str]:
    """What is known of why these steady steps of a loop compiled, and what to do about it."""
    points, steps, count = group.points, group.steps, group.count
    told = _told([point for point in points if point.reason], fails)
    culprits = " and ".join(f"{op} ({_place(at)})" for op, at in sorted(_data_dependent(steps).items(), key=str))
    said = [told[0]] if told else []
    if culprits:
        said.append(f"{culprits} gives a shape that depends on the data")
        advice = "keep the shape fixed: torch.where or masked_fill in place of selecting by a mask, or pad"
    else:
        advice = told[1] if told else _advice("", fails)
    if not said:
        is_first = bool(points) and _is_first(points[0], phase)
        said = ["the first of this line" if is_first else _UNKNOWN]
    return f"{_share(phase, steps, count)}: {'; '.join(said)}", advice


def _share(phase: Phase, steps: Sequence[Step], count: int) -> str:
    graphs = "1 new graph" if count == 1 else f"{count} new graphs"
    share = f"{len(steps)} of {len(phase.steady)} steady steps compiled {graphs}"
    if phase.trains and not any(step.optimizer_steps for step in steps):
        share += " (no optimizer step in it: evaluation or sampling, or a part of an accumulated batch)"
    return share


def _told(points: Sequence[Point], fails: bool) -> tuple[str, str] | None:
    """The reason that most of these compiles have in common, as the probe has told it, and what to do about it."""
    if not points:
        return None
    cause = Counter(point.cause for point in points).most_common(1)[0][0]
    shown = next(point for point in points if point.cause == cause)
    others = len(points) - 1
    more = f" (and {others} more compile{'s' * (others > 1)})" if others else ""
    return f"{shown.reason}{more}", _advice(cause, fails)


def _advice(cause: str, fails: bool) -> str:
    return _FAILS.get(cause, _ANY_FAILS) if fails else _FINE.get(cause, _ANY_FINE)


def _is_first(point: Point, phase: Phase) -> bool:
    """Whether nothing was compiled at the line of a point before."""
    return next(
        other is point
        for step in phase.steps
        for other in step.points
        if other.added.compiles and other.site == point.site
    )


def _data_dependent(steps: Sequence[Step]) -> dict[str, Site | None]:
    """The data-dependent ops that ran in most of these steps, and where."""
    seen: dict[str, list[Site | None]] = defaultdict(list)
    for step in steps:
        for op in set(step.added.fallbacks) & DATA_DEPENDENT:
            sites = [point.site for point in step.points if op in point.added.fallbacks]
            seen[op].append(sites[0] if sites else None)
    return {op: sites[0] for op, sites in seen.items() if len(sites) * 2 > len(steps)}


def _place(site: Site | None) -> str:
    return f"line {site.line}" if site else "line unknown"
