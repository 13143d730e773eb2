"""The questions about the whole run: did anything run on the device, is there a barrier, was anything
learnt?
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xlaport.verify.events import LeftBehind, OptimizerSeen, ParametersCompared, Pending, Point, Trace
from xlaport.verify.phases import Phase
from xlaport.verify.questions import growth, without_barrier
from xlaport.verify.request import TORCH_TPU, TORCH_XLA
from xlaport.verify.saying import say
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
            said = say("nothing-executed.trained_on_cpu", count=seen[0].parameters, optimizer=seen[0].name)
            yield finding(said, "fail", seen[0].built, rule="XP203")
        return
    if any(item.on_xla for item in seen) or any(isinstance(event, Pending) for event in trace.events):
        return  # the graph is on the device, and only waits for a barrier: that question says so
    if not {TORCH_XLA, TORCH_TPU} & trace.loaded.keys():
        said = say("nothing-executed.not_ported")
    elif seen:
        said = say("nothing-executed.stayed", optimizer=seen[0].name)
    else:
        said = say("nothing-executed.imported")
    yield finding(said, "fail", seen[0].built if seen else None, count=len(steps.steps))


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
                say("no-barrier.reads", count=len(phase.steps), growth=_growth(grown) if grown else ""),
                "fail" if phase.proven else "note",
                phase.site,
                count=len(phase.steps),
                rule="XP201",
            )


def _growth(sizes: Sequence[int]) -> str:
    return say.phrase("grows", first=sizes[0], last=sizes[-1]) if sizes[-1] > sizes[0] else ""


def _loop_without(trace: Trace, on_xla: bool) -> Iterator[VerdictFinding]:
    """A loop that has left nothing behind but one graph, or operations that were never run."""
    for event in trace.events:
        if isinstance(event, Pending) and not on_xla:
            said = say("no-barrier.pending", count=event.operations)
            yield finding(said, "fail", event.repeated, count=event.repeats, rule="XP201")
        elif isinstance(event, Point) and event.repeats >= _A_LOOP and not event.backward:
            yield finding(
                say("no-barrier.unrolled", count=event.repeats, nodes=event.added.nodes),
                "fail",
                event.repeated,
                count=event.repeats,
                rule="XP201",
                seen_at=event.site,
            )


def _training_without(steps: Steps) -> VerdictFinding:
    stepped = [step for step in steps.steps if step.optimizer_steps]
    sizes = [step.added.nodes // step.added.executions for step in stepped if step.added.executions]
    syncs, count = steps.markers or "No", len(stepped)
    if sizes:
        compiles = steps.totals.compiles
        said = say("no-barrier.training", syncs=syncs, count=count, compiles=compiles, growth=_growth(sizes))
    else:
        said = say("no-barrier.training_pending", syncs=syncs, count=count)
    return finding(said, "fail", steps.optimizer_site, count=count, rule="XP201")


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
            say("no-barrier.stretch", longest=longest),
            "note" if steady else "fail",
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
            where = say.phrase("on the CPU" if seen.on_cpu == seen.parameters else "unused")
            said = say("not-training.no_gradient", count=seen.parameters, optimizer=seen.name, where=where)
            yield finding(said, "fail", seen.built, count=last, rule="XP203")
        elif behind := left.get(seen.optimizer):
            same = set(_left_behind(seen, behind))  # two optimizers whose models one line moves
            yield from same - told
            told |= same
        elif result and not result.changed and result.step >= 3 and steps.totals.executions:
            said = say("not-training.unchanged", count=result.sampled, optimizer=seen.name, steps=result.step)
            yield finding(said, "fail", seen.built, count=result.step, rule="XP203")


def _left_behind(seen: OptimizerSeen, behind: LeftBehind) -> Iterator[VerdictFinding]:
    """An optimizer whose model has got other parameters in the middle of the run."""
    if behind.lost < 2:
        return  # one step between a move and a new optimizer
    whole = behind.parameters == behind.trainable
    what = say.phrase("the model" if whole else "some parameters", count=behind.parameters, trainable=behind.trainable)
    names = {"since": behind.since, "optimizer": seen.name, "what": what, "lost": behind.lost}
    moved_later = behind.how == "moved" and behind.since > 1
    if behind.how == "moved":
        said = say("not-training.moved_later" if moved_later else "not-training.moved", **names)
    else:
        said = say("not-training.set" if behind.how == "set" else "not-training.rebuilt", **names)
    # A part that the author has assigned himself may be meant so: the original does the same.
    yield finding(
        said,
        "fail" if whole or behind.how == "moved" else "note",
        behind.site or seen.built,
        count=behind.lost,
        rule="XP208" if moved_later else "XP203",
    )
