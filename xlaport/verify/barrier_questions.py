"""The questions about the barriers of a training step: is it cut in two, does it hold the same work several times?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xlaport.verify.phases import Phase
from xlaport.verify.request import Budgets
from xlaport.verify.saying import say
from xlaport.verify.steps import Step
from xlaport.verify.verdict import VerdictFinding, finding


def extra_barriers(phases: Sequence[Phase], optimizer_steps: int, budgets: Budgets) -> Iterator[VerdictFinding]:
    """Is the training step cut by two barriers or more? Each cut is one execution more.

    A micro-batch of an accumulated batch, and the turn of another model, is a step of its own: it has a backward pass,
    and so has what comes behind. What is read on the host has to be run before: that question speaks of it.
    """
    training = [phase for phase in phases if phase.trains]
    if optimizer_steps < 3 or not training:
        return
    numbers = {step.number: phase for phase in phases for step in phase.steps}
    steppers = {step.number: step for phase in training for step in phase.steps if step.optimizer_steps}
    for phase in phases:
        if phase.trains or len(phase.steady) * 2 <= optimizer_steps:
            continue
        between = [
            step
            for step in phase.steady
            if numbers.get(step.number + 1) not in (None, phase) and _cuts(step, steppers.get(step.number + 1))
        ]
        if len(between) * 2 <= max(optimizer_steps, len(phase.steady)):
            continue
        reads = sum(bool(step.stalling) for step in between) * 2 > len(between)
        yield finding(
            say("extra-barrier.cut"),
            "note" if reads or budgets.executions > 1 else "fail",
            phase.site,
            count=len(between),
            steps=(step.number for step in between),
            rule="XP207",
        )


def _cuts(part: Step, stepper: Step | None) -> bool:
    """Whether a part of a run is the first half of the training step that comes behind it."""
    return stepper is not None and not (part.backwards and stepper.backwards)


def unrolled(phases: Sequence[Phase]) -> Iterator[VerdictFinding]:
    """Does the graph of a training step hold the same work several times? That is right, but dear to compile."""
    for phase in phases:
        held = [
            step for step in phase.steps if step.optimizer_steps and step.backwards >= 2 * max(1, step.optimizer_steps)
        ]
        if not held or len(held) * 2 <= sum(bool(step.optimizer_steps) for step in phase.steps):
            continue
        times = max(step.backwards for step in held)
        yield finding(
            say("unrolled.repeated", times=times),
            "note",
            held[-1].backward_site,
            count=len(held),
            steps=(step.number for step in held),
            rule="XP201",
            seen_at=phase.site,
        )
