"""From a judged run to what the larger reports show of it: loops, compilations, sizes, limits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xlaport.verify.events import TensorsSeen, Trace
from xlaport.verify.failure import made_its_steps
from xlaport.verify.launch import Run
from xlaport.verify.phases import Phase
from xlaport.verify.request import Budgets
from xlaport.verify.steady_graphs import steady_graphs
from xlaport.verify.steps import Step, Steps
from xlaport.verify.verdict import Compilation, Details, Loop


def details(run: Run, trace: Trace, steps: Steps, phases: Sequence[Phase], budgets: Budgets) -> Details:
    """What a run was, and what was done in it."""
    versions = {name: version for trace in run.traces for name, version in trace.loaded.items()}
    return Details(
        run.command,
        str(run.directory),
        run.seconds,
        tuple(sorted(versions.items())),
        tuple(_budgets(budgets)),
        tuple(
            Loop(phase.site, tuple(step.number for step in phase.steps), phase.warmup, phase.trains, phase.proven)
            for phase in phases
        ),
        tuple(_compilations(steps.steps)),
        tuple(step.added.nodes // step.added.executions if step.added.executions else 0 for step in steps.steps),
        made_its_steps(run),
        steady_graphs(phases),
        next((event for event in reversed(trace.events) if isinstance(event, TensorsSeen)), None),
    )


def _compilations(steps: Iterable[Step]) -> Iterable[Compilation]:
    for step in steps:
        for point in step.points:
            if point.added.compiles:
                yield Compilation(
                    step.number,
                    point.kind,
                    point.site,
                    point.added.compiles,
                    point.seconds,
                    point.reason,
                    point.changes,
                )


def _budgets(budgets: Budgets) -> Iterable[tuple[str, str]]:
    """Each limit: the option that sets it, and what it is."""
    yield "--max-compiles", "a bounded set" if budgets.compiles is None else str(budgets.compiles)
    yield "--max-transfers", f"{budgets.transfers:g} of the steady steps"
    yield "--max-executions", f"{budgets.executions} per steady step"
    yield "--allow-fallback", ", ".join(sorted(budgets.fallbacks)) or "none"
