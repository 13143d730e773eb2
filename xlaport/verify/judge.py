"""From a recorded run to a verdict: a pure function, which a hand-built run is enough to test."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace

from xlaport.verify import (
    barrier_questions,
    device_questions,
    dynamo_questions,
    input_questions,
    questions,
    thread_questions,
)
from xlaport.verify.details import details
from xlaport.verify.events import Point, Trace, Trouble, busiest
from xlaport.verify.failure import LOST, failure, notes
from xlaport.verify.joining import joined
from xlaport.verify.launch import Run
from xlaport.verify.phases import QUIET, Phase, main_phase, phases
from xlaport.verify.replicas import alone, compare, lanes
from xlaport.verify.request import TORCH_TPU, Budgets
from xlaport.verify.saying import say
from xlaport.verify.steps import MARKER, OPTIMIZER, READ, Step, Steps, is_sparse, split
from xlaport.verify.verdict import Series, Verdict, VerdictFinding, finding
from xlaport.wording import speaking_of


def judge(run: Run, budgets: Budgets) -> Verdict:
    """What a run shows.

    The order of evidence: a script that failed is an ``error``, whatever it did before (its counts are
    shown). One that ran out of time, or was not recorded as a whole, is a ``fail`` if a failure is proven already,
    else an ``error``. Too few steps to know is an ``error``, never a pass, unless a failure is proven without them.
    Of the replicas of a distributed program each is judged, and they are compared.
    """
    with speaking_of(TORCH_TPU if TORCH_TPU in _loaded(run.traces) else ""):
        return _judge(run, budgets)


def _judge(run: Run, budgets: Budgets) -> Verdict:
    several = lanes(run.traces)
    if len(several) < 2:
        trace = busiest(run.traces) or Trace(0, ())
        verdict = _of_process(run, trace, budgets)
        return replace(verdict, findings=(*verdict.findings, *alone(trace))) if verdict.steps else verdict
    verdicts = [_of_process(run, lane.trace, budgets) for lane in several]
    return joined(several, verdicts, list(compare(several, failure(run) is not None)))


def _of_process(run: Run, trace: Trace, budgets: Budgets) -> Verdict:
    """What one process of a run shows."""
    broken = failure(run)
    versions = _loaded(run.traces)
    device = versions.get("device", "CPU")
    steps, all_phases = _steps(trace, device)
    main = main_phase(all_phases)
    # A script that broke off before its first step has not shown that nothing would have been executed.
    findings = _findings(trace, steps, all_phases, budgets) if steps.steps or not broken else []
    fails = any(item.severity == "fail" for item in findings)
    if broken:
        proven_anyway = broken.kind in ("timeout", LOST) and fails
        verdict = "fail" if proven_anyway else "error"
        findings = [replace(broken, severity="note") if proven_anyway else broken, *findings]
    elif fails:
        verdict = "fail"
    elif main is None or not main.proven:
        verdict = "error"
        findings.insert(0, _too_few(main))
    else:
        verdict = "pass"
    if not broken:
        findings += notes(run)
    return Verdict(
        verdict,
        device,
        versions.get("torch_xla"),
        len(steps.steps),
        main.warmup if main and main.proven else 0,
        _series(steps, all_phases, lambda step: step.added.compiles, steps.totals.compiles),
        _series(steps, all_phases, lambda step: step.added.executions, steps.totals.executions),
        _series(steps, all_phases, lambda step: step.transfers, steps.totals.transfers),
        tuple(sorted(steps.totals.fallbacks.items())),
        tuple(sorted(findings, key=lambda item: item.severity != "fail")),
        details(run, trace, steps, all_phases, budgets),
        stalling=_series(steps, all_phases, lambda step: step.stalling, steps.totals.transfers - _overlapping(trace)),
        torch_tpu=versions.get(TORCH_TPU),
    )


def _loaded(traces: Sequence[Trace]) -> dict[str, str]:
    found: dict[str, str] = {}
    for trace in traces:
        found.update(trace.loaded)
        found.update({"device": trace.device} if trace.device else {})
    return found


def _steps(trace: Trace, device: str) -> tuple[Steps, tuple[Phase, ...]]:
    """The steps and loops of a run, by its barriers unless they are too few to be those of its step loop."""
    steps = split(trace, device)
    grouped = phases(steps.steps)
    if steps.source == MARKER and is_sparse(steps.markers, steps.optimizer_steps):
        main = main_phase([phase for phase in grouped if phase.steps[0].kind != READ])
        if main is None or not main.proven:
            steps = split(trace, device, OPTIMIZER)
            grouped = phases(steps.steps)
    return steps, grouped


def _findings(trace: Trace, steps: Steps, all_phases: Sequence[Phase], budgets: Budgets) -> list[VerdictFinding]:
    on_xla = any(optimizer.on_xla for optimizer, _ in device_questions.optimizers(trace))
    findings = [
        *device_questions.nothing_executed(trace, steps),
        *(device_questions.not_training(trace, steps) if budgets.training else ()),
        *input_questions.samples_lost(trace),
        *input_questions.untied(trace),
        *input_questions.stale_averages(trace),
        *input_questions.starved(all_phases),
    ]
    if TORCH_TPU in trace.loaded:
        # Each operation is a program of its own: there is no barrier, and none is missed.
        budgets = replace(budgets, executions=sys.maxsize)
        findings += questions.recompiles(all_phases, budgets)
    else:
        findings += _of_graphs(trace, steps, all_phases, budgets, on_xla)
    findings += dynamo_questions.graph_breaks(trace, all_phases, budgets)
    findings += dynamo_questions.guards(trace, all_phases, findings)
    findings += questions.transfers(all_phases, budgets)
    findings += questions.fallbacks(all_phases, budgets)
    findings += thread_questions.beside(steps, budgets)
    findings += _trouble(trace)
    return findings


def _of_graphs(
    trace: Trace, steps: Steps, all_phases: Sequence[Phase], budgets: Budgets, on_xla: bool
) -> list[VerdictFinding]:
    """What is asked where operations wait for a barrier, to be one graph."""
    findings = list(device_questions.no_barrier(trace, steps, all_phases, on_xla))
    if steps.source != OPTIMIZER:
        # Without a barrier every step compiles, in more than one graph: that is said already.
        findings += questions.recompiles(all_phases, budgets)
        findings += questions.extra_executions(all_phases, budgets)
        findings += barrier_questions.extra_barriers(all_phases, steps.optimizer_steps, budgets)
    if steps.source != OPTIMIZER or steps.optimizer_steps == 1:  # the first barrier may still be in the compiler
        findings += barrier_questions.unrolled(all_phases)
    return findings


def _trouble(trace: Trace) -> list[VerdictFinding]:
    messages = {event.message for event in trace.events if isinstance(event, Trouble)}
    return [finding(say("probe.missed", message=message), "note") for message in sorted(messages)]


def _too_few(main: Phase | None) -> VerdictFinding:
    if main is None:
        return finding(say("too-few-steps.none"), "fail")
    ran = len(main.steps)
    said = say("too-few-steps.few", ran=ran, needed=main.needed, quiet=QUIET)
    return finding(said, "fail", main.site, count=ran)


def _series(steps: Steps, all_phases: Sequence[Phase], measure: Callable[[Step], int], total: int) -> Series:
    steady = sum(measure(step) for phase in all_phases for step in phase.steady)
    return Series(total, steady, tuple(measure(step) for step in steps.steps))


def _overlapping(trace: Trace) -> int:
    return sum(event.added.transfers for event in trace.events if isinstance(event, Point) and event.overlaps)
