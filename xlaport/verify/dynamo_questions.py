"""The questions about torch.compile: does it keep what it compiles in one piece, and does it keep to what it has?"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from xlaport.verify.dynamo import graph_break
from xlaport.verify.events import GraphBreak, Point, Site, Trace
from xlaport.verify.phases import Phase, grows
from xlaport.verify.request import Budgets
from xlaport.verify.steps import COMPILED, GAVE_UP, RETRACED, Step
from xlaport.verify.verdict import VerdictFinding, finding


def graph_breaks(trace: Trace, phases: Sequence[Phase], budgets: Budgets) -> Iterator[VerdictFinding]:
    """Where is a compiled function cut in pieces, or not compiled at all?"""
    seen: dict[tuple[Site | None, str], list[GraphBreak]] = defaultdict(list)
    for event in trace.events:
        if isinstance(event, GraphBreak):
            seen[event.site, graph_break(event.message).words].append(event)
    steps: dict[int, int]
    for (site, words), events in seen.items():
        functions = list(dict.fromkeys(event.function for event in events))
        named = [f"{function}()" for function in functions if not function.startswith("<")]
        said = " and ".join(named) or "what it compiles"
        if all(event.whole for event in events):
            reason = f"torch.compile leaves out {said} because of this line: {words}"
            cost, steps = "; it runs as if it were not compiled, traced anew in each step", {}
        else:
            reason = f"torch.compile cuts {said} in pieces here: {words}"
            steps, steady = _in_pieces(phases, site, {*functions, *([site.function] if site else [])}, budgets)
            cost = f"; {max(steps.values())} graphs of it run in {len(steps)} of {steady} steady steps" if steps else ""
        fails = bool(steps) and len(steps) * 2 > steady
        yield finding(
            "graph-break",
            "fail" if fails else "note",
            reason + cost,
            graph_break(events[0].message).advice,
            site,
            count=len(events),
            steps=steps,
        )


def _in_pieces(
    phases: Sequence[Phase], site: Site | None, functions: set[str], budgets: Budgets
) -> tuple[dict[int, int], int]:
    """The steady steps in which more than one graph of these functions runs, and how many; and of how many steps, in
    the loop that has most of them.
    """
    best: tuple[dict[int, int], int] = {}, 0
    for phase in phases:
        pieces: dict[int, int] = {}
        for step in phase.steady:
            runs = sum(_is_run(point, site, functions) for point in step.points)
            if runs > 1 and step.added.executions > budgets.executions:
                pieces[step.number] = runs
        best = max(best, (pieces, len(phase.steady)), key=lambda found: len(found[0]))
    return best


def _is_run(point: Point, site: Site | None, functions: set[str]) -> bool:
    forward = point.kind == COMPILED and point.backward is None and point.added.executions > 0
    return forward and point.site is not None and site is not None and point.site.function in functions


def guards(trace: Trace, phases: Sequence[Phase], found: Sequence[VerdictFinding]) -> Iterator[VerdictFinding]:
    """Are compiled functions traced again and again? What was compiled for it is told already, in `found`."""
    for event in trace.events:
        if isinstance(event, Point) and event.kind == GAVE_UP:
            yield _gave_up(event)
    for phase in phases:
        told = {item.reason.partition(": ")[2] for item in found if item.kind == "recompile"}
        by_site: dict[Site | None, list[tuple[Step, Point]]] = defaultdict(list)
        for step in phase.steady:
            for point in step.points:
                if point.kind == RETRACED:
                    by_site[point.site].append((step, point))
        for site, retraced in by_site.items():
            reason = retraced[0][1].reason or ""
            if any(reason in text for text in told):
                continue
            steps = [step.number for step, _ in retraced]
            name = f"{site.function}()" if site and site.function != "<module>" else "this function"
            fails = grows([step.number in steps for step in phase.steady])
            yield finding(
                "guard-failed",
                "fail" if fails else "note",
                f"torch.compile traced {name} once more in {len(set(steps))} of "
                f"{len(phase.steady)} steady steps: {reason}",
                _ADVICE if fails else "",
                site,
                count=len(retraced),
                steps=steps,
            )


_ADVICE = (
    "keep to the same shapes, dtypes and options in each call, and hand numbers that change over as tensors on the "
    "device"
)


def _gave_up(point: Point) -> VerdictFinding:
    name = f"{point.site.function}()" if point.site and point.site.function != "<module>" else "this function"
    return finding(
        "guard-failed",
        "fail",
        f"torch.compile has traced {name} as often as it may (torch._dynamo.config.recompile_limit) and gives up: with "
        f"inputs that are new, {name} runs uncompiled from here on, and nothing says so. At last, {point.reason}",
        _ADVICE,
        point.site,
        count=1,
    )
