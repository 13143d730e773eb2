"""The questions that the judge asks of the steady steps of each loop, one function each.

Each answers with findings: ``fail`` where a budget is exceeded, ``note`` for what was seen below it.
"""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence

from xlaport.verify.events import BARRIERS, RENDEZVOUS, Point, Site
from xlaport.verify.phases import Phase, grows
from xlaport.verify.recompile_reasons import DATA_DEPENDENT, Recompiled, by_cause, why
from xlaport.verify.request import Budgets
from xlaport.verify.saying import say
from xlaport.verify.steps import COMPILED, GAVE_UP, READ, Step
from xlaport.verify.verdict import VerdictFinding, finding


def recompiles(phases: Sequence[Phase], budgets: Budgets) -> Iterator[VerdictFinding]:
    """Do compilations grow with the steps?"""
    total = sum(step.added.compiles for phase in phases for step in phase.steady)
    for phase in phases:
        steady = phase.steady
        compiled = [step for step in steady if step.added.compiles]
        if without_barrier(phase) and growth(phase):
            continue  # each graph holds those before it: that is what a barrier is missed for
        if not compiled:
            if not phase.proven and len(phase.steps) > 2 and all(step.added.compiles for step in phase.steps):
                yield _unproven(phase)
            continue
        if budgets.compiles is None:
            fails = grows([bool(step.added.compiles) for step in steady])
        else:
            fails = total > budgets.compiles
        groups = list(by_cause(phase, compiled))
        # Of several causes those fail that go on; what happened once beside them is a note.
        going_on = [group for group in groups if _goes_on(group, steady)] or groups
        for group in groups:
            decides = fails and (budgets.compiles is not None or group in going_on)
            yield finding(
                why(group, phase, decides),
                "fail" if decides else "note",
                group.cause or group.site,
                count=group.count,
                steps=(step.number for step in group.steps),
                rule="XP401",
                seen_at=group.site,
            )


def _goes_on(group: Recompiled, steady: Sequence[Step]) -> bool:
    """Whether a cause compiles graph after graph, until the last step or until torch.compile gives up its function."""
    given_up = (any(point.kind == GAVE_UP and point.site == group.site for point in step.points) for step in steady)
    end = next((index for index, ends in enumerate(given_up) if ends), None)
    return grows([step in group.steps for step in steady[:end]])


def without_barrier(phase: Phase) -> bool:
    """Whether the loop has neither a barrier nor an optimizer: reads end its steps."""
    return phase.steps[0].kind == READ


def growth(phase: Phase) -> tuple[int, int] | None:
    """The sizes of the first and of the last graph of a loop, in nodes, where each is larger than the one before."""
    sizes = [step.added.nodes // step.added.executions for step in phase.steady if step.added.executions]
    grown = len(sizes) > 1 and all(before < after for before, after in itertools.pairwise(sizes))
    return (sizes[0], sizes[-1]) if grown else None


def _unproven(phase: Phase) -> VerdictFinding:
    return finding(
        say("recompile.unproven", count=len(phase.steps)),
        "note",
        phase.site,
        count=sum(step.added.compiles for step in phase.steps),
        steps=(step.number for step in phase.steps),
        rule="XP401",
    )


def transfers(phases: Sequence[Phase], budgets: Budgets) -> Iterator[VerdictFinding]:
    """Do device-to-host transfers grow with the steps? Those of fallbacks are counted there."""
    for phase, points in _per_phase(phases, _is_read):
        allowed = budgets.transfers * (phase.span if phase.is_seldom else len(phase.steady))
        if allowed > 1:  # of three steps in a row, two may be those that a read in every second one falls on
            allowed = math.ceil(allowed)
        # What is read behind each pass of a loop is read seldom, however few steps a pass has with little data.
        behind = {site for site, steps in points.items() if phase.ends.issuperset(steps)}
        within = [steps for site, steps in points.items() if site not in behind]
        reading = {step for steps in within for step in steps}
        take_turns = len(reading) > allowed and all(len(steps) <= allowed for steps in within)
        for site, steps in sorted(points.items(), key=lambda item: -len(item[1])):
            fails = site not in behind and (take_turns or len(steps) > allowed)
            rarely = "host-read.behind" if len(steps) > allowed else "host-read.rare"
            said = say("host-read.each_step" if fails else rarely, count=len(steps), of=_of(phase))
            yield finding(said, "fail" if fails else "note", site, count=sum(steps.values()), steps=steps, rule="XP301")
    yield from _overlapping(phases)


def _overlapping(phases: Sequence[Phase]) -> Iterator[VerdictFinding]:
    """Reads that nobody waits for, so that they may be as many as there are steps."""
    for phase, points in _per_phase(phases, lambda point, step: point.added.transfers if point.overlaps else 0):
        for site, steps in points.items():
            said = say("host-read.overlaps", count=len(steps), of=_of(phase))
            yield finding(said, "note", site, count=sum(steps.values()), steps=steps, rule="XP301")


def _of(phase: Phase) -> str:
    seldom = phase.is_seldom
    return say.phrase("span" if seldom else "steady", count=phase.span if seldom else len(phase.steady))


def _is_read(point: Point, step: Step) -> int:
    # A barrier reads nothing: what is counted there is a thread's beside it.
    return point.added.transfers if point.kind not in ("fallback", *BARRIERS) and not point.overlaps else 0


def extra_executions(phases: Sequence[Phase], budgets: Budgets) -> Iterator[VerdictFinding]:
    """Is a step more than one graph? A read before the barrier runs the step's first half twice or apart."""

    def extra(point: Point, step: Step) -> int:
        if step.added.executions <= budgets.executions or point.kind in (*BARRIERS, "fallback", RENDEZVOUS):
            return 0
        if step.kind in (READ, COMPILED) and point.site == step.site:
            return 0
        return point.added.executions

    for phase, points in _per_phase(phases, extra):
        for site, steps in sorted(points.items(), key=lambda item: -len(item[1])):
            kinds = {
                point.kind
                for step in phase.steady
                for point in step.points
                if point.site == site and extra(point, step)
            }
            fails = len(steps) * 2 > len(phase.steady)
            if kinds == {"dynamo"}:
                fails = False  # as many in each step: what was asked for
                key = "extra-execution.compiled"
            else:
                key = "extra-execution.pending" if kinds == {"clear"} else "extra-execution.read"
            rate = "" if fails else say.phrase("fine")
            said = say(key, count=len(steps), steady=len(phase.steady), rate=rate)
            yield finding(
                said if fails else said.without_recipe(),
                "fail" if fails else "note",
                site,
                count=sum(steps.values()),
                steps=steps,
                rule="XP302",
            )
        yield from _unexplained_executions(phase, budgets)


def _unexplained_executions(phase: Phase, budgets: Budgets) -> Iterator[VerdictFinding]:
    """Graphs that run at no point that we know: eager mode runs each operation as a graph."""
    unexplained: dict[int, int] = {}
    for step in phase.steady:
        explained = sum(point.added.executions for point in step.points)
        if not any(point.kind in BARRIERS for point in step.points):
            explained += 1  # the barrier's own graph; it is a point of its own only where it compiled
        if step.added.executions > max(explained, budgets.executions):
            unexplained[step.number] = step.added.executions - explained
    if unexplained:
        count, steady = len(unexplained), len(phase.steady)
        yield finding(
            say("extra-execution.eager", most=max(unexplained.values()), count=count, steady=steady),
            "fail" if count * 2 > steady else "note",
            phase.site,
            count=sum(unexplained.values()),
            steps=unexplained,
        )


def fallbacks(phases: Sequence[Phase], budgets: Budgets) -> Iterator[VerdictFinding]:
    """Is any op not lowered to XLA, and so computed on the host?"""
    for phase in phases:
        seen: dict[tuple[str, Site | None], dict[int, int]] = defaultdict(lambda: defaultdict(int))
        for step in phase.steady:
            left = dict(step.added.fallbacks)
            for point in step.points:
                for op, count in point.added.fallbacks.items():
                    # Only a point that fetched the op's arguments knows the line; a barrier merely came after
                    # it.
                    site = point.site if point.kind in ("fallback", "read") else None
                    seen[op, site][step.number] += count
                    left[op] = left.get(op, 0) - count
            for op, count in left.items():
                if count > 0:
                    seen[op, None][step.number] += count
        for (op, site), steps in sorted(seen.items(), key=str):
            allowed = op in budgets.fallbacks
            fails = not allowed and len(steps) * 2 > len(phase.steady)
            key = "fallback.allowed" if allowed else _lowering(op)
            yield finding(
                say(key, op=op, count=len(steps), steady=len(phase.steady)),
                "fail" if fails else "note",
                site,
                count=sum(steps.values()),
                steps=steps,
                rule="XP412" if op in DATA_DEPENDENT and op != "aten::bincount" else "XP411",
            )


def _lowering(op: str) -> str:
    if op == "aten::nonzero":
        return "fallback.nonzero"
    return "fallback.data_dependent" if op in DATA_DEPENDENT else "fallback.op"


def _per_phase(
    phases: Sequence[Phase], measure: Callable[[Point, Step], int]
) -> Iterator[tuple[Phase, dict[Site | None, dict[int, int]]]]:
    """For each loop: per site of its points, how much of the measure each steady step has."""
    for phase in phases:
        sites: dict[Site | None, dict[int, int]] = defaultdict(lambda: defaultdict(int))
        for step in phase.steady:
            for point in step.points:
                if amount := measure(point, step):
                    sites[point.site][step.number] += amount
        yield phase, {site: dict(steps) for site, steps in sites.items()}
