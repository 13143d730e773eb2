"""Why steps of a loop recompiled, and what to do about it, in the words of a report."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xlaport.verify.differences import BOUNDS, DATA, GROWTH, GUARD, LAST_BATCH, NUMBER, OPERATIONS, SHAPE, SPECIAL
from xlaport.verify.events import Point, Site
from xlaport.verify.phases import Phase
from xlaport.verify.saying import say
from xlaport.verify.steps import Step
from xlaport.wording import Text

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

_KEEP = {
    SHAPE: "keep: shape",
    LAST_BATCH: "keep: batch",
    GROWTH: "keep: growth",
    NUMBER: "keep: number",
    SPECIAL: "keep: special",
    BOUNDS: "keep: bounds",
    OPERATIONS: "keep: operations",
    GUARD: "keep: guard",
    DATA: "keep: data",
}
"""What to do, by what differs."""
_FEW = {
    SHAPE: "few: shapes",
    LAST_BATCH: "few: batch",
    GROWTH: "few: growth",
    SPECIAL: "few: special",
    OPERATIONS: "few: operations",
}
"""The same where it stays within the budgets."""


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


def why(group: Recompiled, phase: Phase, fails: bool) -> Text:
    """What is known of why these steady steps of a loop compiled, and what to do about it."""
    told = [point for point in group.points if point.reason]
    culprits = " and ".join(f"`{op}`{_place(at)}" for op, at in sorted(_data_dependent(group.steps).items(), key=str))
    said, cause = [], ""
    if told:  # what most of these compiles have in common
        cause = Counter(point.cause for point in told).most_common(1)[0][0]
        said.append(next(point.reason for point in told if point.cause == cause) or "")
    if culprits:
        said.append(say.phrase("data-dependent", ops=culprits))
    if not said:
        is_first = bool(group.points) and _is_first(group.points[0], phase)
        said.append(say.phrase("first graph" if is_first else "unknown"))
    recipe = _KEEP.get(cause, "keep: any") if fails else _FEW.get(cause, "few: any")
    count, steps = group.count, len(group.steps)
    without = phase.trains and not any(step.optimizer_steps for step in group.steps)
    return say(
        "recompile.steps",
        steps=steps,
        steady=len(phase.steady),
        graphs=say.phrase("one graph" if count == 1 else "new graphs", count=count) if count != steps else "",
        untrained=say.phrase("untrained") if without else "",
        why="; ".join(said),
        recipe=say.phrase("keep: data" if culprits else recipe),
    )


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
    return say.phrase("at line", line=site.line) if site else ""
