"""Which graphs the steady steps of a run are made of, and in which files they are kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from xlaport.verify.events import BARRIERS, Point, Site
from xlaport.verify.on_chip import SteadyGraph
from xlaport.verify.phases import Phase
from xlaport.verify.steps import Step

_Place = tuple[str, Site | None, int, str | None]
"""Of which kind a call is, where, which one of its line, and which node of the backward pass it comes out of."""


def steady_graphs(phases: Sequence[Phase]) -> tuple[SteadyGraph, ...]:
    """The graphs of the steady steps of each loop: of each call in it that runs one, what was compiled there last
    before they began.
    """
    compiled = [
        (step.number, point)
        for step in sorted((step for phase in phases for step in phase.steps), key=lambda step: step.number)
        for point in (*step.points, *step.beside)
        if point.dumps
    ]
    return tuple(graph for phase in phases for graph in _of(phase, compiled))


def _of(phase: Phase, compiled: Sequence[tuple[int, Point]]) -> Iterator[SteadyGraph]:
    if not phase.steady:
        return
    begins = phase.steady[0].number
    backwards = tuple(dict.fromkeys(step.backward_site for step in phase.steps if step.backward_site is not None))
    for (kind, site, offset, node), times in _running(phase.steady).items():
        here = [
            (number, point.dumps[-1])
            for number, point in compiled
            if point.site == site
            and ((point.kind in BARRIERS and kind in BARRIERS) or (point.offset, point.backward) == (offset, node))
        ]
        if here:
            dump = next((dump for number, dump in reversed(here) if number < begins), here[0][1])
            per_step = round(times / len(phase.steady), 2)
            yield SteadyGraph(dump, phase.site, kind, site, phase.trains, per_step, backwards)


def _running(steady: Sequence[Step]) -> Counter[_Place]:
    """How often graphs run at each place; what no other call has run, the barrier has."""
    found: Counter[_Place] = Counter()
    for step in steady:
        others = 0
        for point in step.points:
            if point.kind not in BARRIERS and point.added.executions:
                found[point.kind, point.site, point.offset, point.backward] += point.added.executions
                others += point.added.executions
        if step.kind in BARRIERS and step.added.executions > others:
            found[step.kind, step.site, 0, None] += step.added.executions - others
    return found
