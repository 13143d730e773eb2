"""The questions about the whole run: did anything run on the device, is there a barrier, was anything
learnt?
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xlaport.verify.events import LeftBehind, OptimizerSeen, ParametersCompared, Pending, Point, Trace
from xlaport.verify.phases import Phase
from xlaport.verify.questions import growth, without_barrier
from xlaport.verify.steps import MARKER, OPTIMIZER, Steps
from xlaport.verify.verdict import VerdictFinding, finding

_LONG_STRETCH = 8
"""More optimizer steps than this between two barriers: the loop that makes them has none."""


def optimizers(trace: Trace) -> list[tuple[OptimizerSeen, int]]:
    """Each optimizer as it was when most of its parameters had gradients, and the last step it was seen
    before.
    """
    best: dict[int, tuple[OptimizerSeen, int]] = {}
    for event in trace.events:
        if isinstance(event, OptimizerSeen):
            known, _ = best.get(event.optimizer, (event, 0))
            better = event if event.with_gradient > known.with_gradient else known
            best[event.optimizer] = (better, event.step)
    return list(best.values())


def nothing_executed(trace: Trace, steps: Steps) -> Iterator[VerdictFinding]:
    """Did anything execute on the device at all?"""
    seen = [optimizer for optimizer, _ in optimizers(trace)]
    if steps.totals.executions:
        # Something did; but the model may have been left behind.
        if seen and all(item.on_cpu == item.parameters and item.with_gradient for item in seen):
            yield finding(
                "nothing-executed",
                "fail",
                f"the {seen[0].parameters} parameters of {seen[0].name} are on the CPU and are trained there",
                "move the model to torch_xla.device() before the optimizer is built",
                seen[0].built,
                rule="XP203",
            )
        return
    if any(item.on_xla for item in seen) or any(isinstance(event, Pending) for event in trace.events):
        return  # the graph is on the device, and only waits for a barrier: that question says so
    if "torch_xla" not in trace.loaded:
        reason = "the script never imports torch_xla: everything ran on the CPU"
        advice = "port it first:  xlaport convert  rewrites its device code"
    elif seen:
        reason = f"nothing ran on the XLA device: the model and {seen[0].name} stayed on the CPU"
        advice = "move the model and the batches to torch_xla.device(), the model before the optimizer is built"
    else:
        reason = "nothing ran on the XLA device, though torch_xla was imported"
        advice = "move the model and its inputs to torch_xla.device()"
    yield finding("nothing-executed", "fail", reason, advice, seen[0].built if seen else None, count=len(steps.steps))


_BARRIER = "call torch_xla.sync() at the end of each step, before the first host read"
_A_LOOP = 3
"""So many passes of a line in one graph are those of a loop without a barrier."""


def no_barrier(trace: Trace, steps: Steps, phases: Sequence[Phase], on_xla: bool) -> Iterator[VerdictFinding]:
    """Is the graph cut at the end of each step, or does it grow?"""
    if not steps.steps:
        yield from _loop_without(trace, on_xla)
    if steps.source == MARKER:
        yield from _stretches(steps, phases)
    elif steps.source == OPTIMIZER and (on_xla or steps.totals.executions) and steps.optimizer_steps > 1:
        # One that was made when the run broke off may have had its barrier before it, and the compiler at work.
        yield _training_without(steps)
    for phase in phases:
        if without_barrier(phase):
            grown = growth(phase)
            yield finding(
                "no-barrier",
                "fail" if phase.proven else "note",
                f"no barrier in this loop: its graph is only cut where a value is read, {len(phase.steps)} times"
                + (f", and grows from {grown[0]} to {grown[1]} nodes" if grown else ""),
                _BARRIER,
                phase.site,
                count=len(phase.steps),
                rule="XP201",
            )


def _loop_without(trace: Trace, on_xla: bool) -> Iterator[VerdictFinding]:
    """A loop that has left nothing behind but one graph, or operations that were never run."""
    for event in trace.events:
        if isinstance(event, Pending) and not on_xla:
            yield finding(
                "no-barrier",
                "fail",
                f"{event.operations} operations were noted down for the device, and none was ever run: there is "
                "no barrier, and nothing reads a result",
                _BARRIER,
                event.repeated,
                count=event.repeats,
                rule="XP201",
            )
        elif isinstance(event, Point) and event.repeats >= _A_LOOP and not event.backward:
            yield finding(
                "no-barrier",
                "fail",
                f"no barrier in this loop: {event.repeats} passes of it run as one graph of {event.added.nodes} nodes, "
                "which grows with each pass and is compiled anew for another number of them",
                _BARRIER,
                event.repeated,
                count=event.repeats,
                rule="XP201",
                seen_at=event.site,
            )


def _training_without(steps: Steps) -> VerdictFinding:
    stepped = [step for step in steps.steps if step.optimizer_steps]
    said = "no barrier" if not steps.markers else f"only {steps.markers} barriers"
    sizes = [step.added.nodes // step.added.executions for step in stepped if step.added.executions]
    if sizes:
        reason = f"{said} in {len(stepped)} training steps: {steps.totals.compiles} graphs compiled"
        reason += f", growing from {sizes[0]} to {sizes[-1]} nodes" if sizes[-1] > sizes[0] else ""
    else:
        reason = f"{said} in {len(stepped)} training steps: nothing was run, the graph only grows in memory"
    return finding(
        "no-barrier",
        "fail",
        reason,
        "call torch_xla.sync() after this, before the first host read of the step",
        steps.optimizer_site,
        count=len(stepped),
        rule="XP201",
    )


def _stretches(steps: Steps, phases: Sequence[Phase]) -> Iterator[VerdictFinding]:
    """A train loop without a barrier is cut by the barrier of the loop that comes after it."""
    long = [step for step in steps.steps if step.optimizer_steps > _LONG_STRETCH]
    stretched = sum(step.optimizer_steps for step in long)
    if stretched * 2 <= steps.optimizer_steps:
        return
    longest = max(step.optimizer_steps for step in long)
    for phase in phases:
        inside = [step for step in phase.steps if step.optimizer_steps > _LONG_STRETCH]
        if not inside:
            continue
        # One graph of many optimizer steps, the same each time: wanted by some (PPO epochs), and steady.
        steady = phase.proven and len(inside) * 5 >= len(phase.steps) * 4
        yield finding(
            "no-barrier",
            "note" if steady else "fail",
            f"up to {longest} optimizer steps run as one graph: the loop that makes them has no barrier",
            "call torch_xla.sync() after each optimizer step, unless one large graph is what you want",
            steps.optimizer_site,
            count=len(inside),
            steps=(step.number for step in inside),
            rule="XP201",
        )


def not_training(trace: Trace, steps: Steps) -> Iterator[VerdictFinding]:
    """Do the parameters change that the optimizers step, and are they still those of the model?"""
    left = {event.optimizer: event for event in trace.events if isinstance(event, LeftBehind)}
    compared = {event.optimizer: event for event in trace.events if isinstance(event, ParametersCompared)}
    told: set[VerdictFinding] = set()
    for seen, last in optimizers(trace):
        result = compared.get(seen.optimizer)
        if not seen.with_gradient and last >= 2:
            where = "on the CPU" if seen.on_cpu == seen.parameters else "of a model that is not used"
            yield finding(
                "not-training",
                "fail",
                f"none of the {seen.parameters} parameters of {seen.name} ever gets a gradient: they are "
                f"{where}; model.to(xla) makes new parameters, and this optimizer holds the old ones",
                "build the optimizer after model.to(torch_xla.device())",
                seen.built,
                count=last,
                rule="XP203",
            )
        elif behind := left.get(seen.optimizer):
            same = set(_left_behind(seen, behind))  # two optimizers whose models one line moves
            yield from same - told
            told |= same
        elif result and not result.changed and result.step >= 3 and steps.totals.executions:
            yield finding(
                "not-training",
                "fail",
                f"{result.sampled} parameters of {seen.name} are bit for bit the same after {result.step} steps",
                "check that the learning rate is not 0, and that the optimizer holds the trained model",
                seen.built,
                count=result.step,
                rule="XP203",
            )


def _left_behind(seen: OptimizerSeen, behind: LeftBehind) -> Iterator[VerdictFinding]:
    """An optimizer whose model has got other parameters in the middle of the run."""
    if behind.lost < 2:
        return  # one step between a move and a new optimizer
    whole = behind.parameters == behind.trainable
    what = "nothing" if whole else f"{behind.parameters} of its {behind.trainable} parameters no more"
    stops = f"from its step {behind.since} on, {seen.name} trains {what}, in {behind.lost} steps so far: "
    old = f"{seen.name} has the old {'one' if behind.parameters == 1 else 'ones'}"
    if behind.how == "moved":
        stops += "a move to an XLA device, or from it, makes new parameters (.cuda() moved the old ones), and this one "
        stops += f"came after {seen.name} was built. The model has the new ones, {old}"
        again = "build the optimizer after model.to(torch_xla.device())"
        copied = "{k: v.cpu() for k, v in model.state_dict().items()}"
        advice = f"leave the model where it is, and save a copy: {copied}; else {again}" if behind.since > 1 else again
    elif behind.how == "set":
        stops += f"this line gave the model a new parameter, which gets the gradients, and {old}"
        advice = (
            "write into the old one: with torch.no_grad(): module.weight.copy_(values); or build the optimizer behind"
        )
    else:
        stops += "no model has its parameters any more. Another one like it gets the gradients, and no optimizer has it"
        advice = "build the optimizer again where the model is built again, or load_state_dict() into the old model"
    # A part that the author has assigned himself may be meant so: the original does the same.
    yield finding(
        "not-training",
        "fail" if whole or behind.how == "moved" else "note",
        stops,
        advice,
        behind.site or seen.built,
        count=behind.lost,
        rule="XP208" if behind.how == "moved" and behind.since > 1 else "XP203",
    )
