"""The questions about torch.compile: does it keep what it compiles in one piece, and does it keep to what it has?"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from xlaport.verify.events import GraphBreak, Point, Site, Trace
from xlaport.verify.graph_breaks import graph_break
from xlaport.verify.phases import Phase, grows
from xlaport.verify.request import Budgets
from xlaport.verify.saying import say
from xlaport.verify.steps import COMPILED, GAVE_UP, RETRACED, Step
from xlaport.verify.verdict import VerdictFinding, finding
from xlaport.wording import Text


def graph_breaks(trace: Trace, phases: Sequence[Phase], budgets: Budgets) -> Iterator[VerdictFinding]:
    """Where is a compiled function cut in pieces, or not compiled at all?"""
    seen: dict[tuple[Site | None, Text], list[GraphBreak]] = defaultdict(list)
    for event in trace.events:
        if isinstance(event, GraphBreak):
            seen[event.site, graph_break(event.message)].append(event)
    for (site, why), events in seen.items():
        functions = list(dict.fromkeys(event.function for event in events))
        named = [f"`{function}()`" for function in functions if not function.startswith("<")]
        function = " and ".join(named) or say.phrase("what it compiles")
        pieces, steady = dict[int, int](), 0
        if all(event.whole for event in events):
            said = say("graph-break.whole", function=function, why=why.message, recipe=why.recipe)
        else:
            pieces, steady = _in_pieces(phases, site, {*functions, *([site.function] if site else [])}, budgets)
            runs = ""
            if pieces:
                runs = say.phrase("pieces", graphs=max(pieces.values()), count=len(pieces), steady=steady)
            said = say("graph-break.cut", function=function, why=why.message, pieces=runs, recipe=why.recipe)
        yield finding(
            said,
            "fail" if len(pieces) * 2 > steady else "note",
            site,
            count=len(events),
            steps=pieces,
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
    told = [item.reason for item in found if item.kind == "recompile"]
    for phase in phases:
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
            fails = grows([step.number in steps for step in phase.steady])
            count, steady = len(set(steps)), len(phase.steady)
            said = say("guard-failed.retraced", function=_name(site), count=count, steady=steady, why=reason)
            said = said if fails else said.without_recipe()
            yield finding(said, "fail" if fails else "note", site, count=len(retraced), steps=steps)


def _gave_up(point: Point) -> VerdictFinding:
    said = say("guard-failed.gave_up", function=_name(point.site), why=point.reason)
    return finding(said, "fail", point.site, count=1)


def _name(site: Site | None) -> str:
    """The function of a place, for a sentence."""
    return f"`{site.function}()`" if site and site.function != "<module>" else say.phrase("this function")
