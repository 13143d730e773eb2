"""The figures of two runs side by side, and how far apart each may be.

Measured on the samples, torch 2.9 on the CPU against XLA:CPU, with the same random numbers: the losses of the first
step differ by at most 2e-7, those of a hundred steps of a small GPT too; a network with max pooling and ReLU doubles a
difference every two or three steps, whatever computes it, to 7e-5 in step 16 and 1e-2 in step 61. So much is allowed of
`rtol`: a hundredth in the first step, a tenth in the next ones, all of it from the 100th step. Beyond that, the
original is asked how far a rounding carries in it (`rounding`, a run with its weights and first gradients changed by
what the two are apart in step 1, a millionth at least): ten times as much is allowed, since the two start to part at
different moments.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from xlaport.verify.events import Event, LossSeen, Noticed, ParameterSeen, Site, StepSeen, Trace
from xlaport.verify.verdict import Figure

LOSS, GRADIENT = "loss", "gradient norm"
ENDED = "failed"
"""What is noticed of a script that failed, once it had trained."""
_AMPLIFIED = 10.0
"""A gradient is a difference of large numbers, and moves before the loss does (measured: up to ten times)."""
COARSE = {"bfloat16": 2e-2, "float16": 4e-3}
"""A few units in the last place of the loss's own precision."""
_ROUNDED = 1e-5
"""A gradient of less than so much of the loss is a sum that would be 0, but for some hundred roundings."""
_AHEAD = 1.25
"""Two runs that part by rounding part at about the same step, not at the very same one."""
_LATER = 2
"""Nor, where each step carries a rounding on a hundredfold, in the one behind it: the port rounds in each step anew."""


@dataclass(frozen=True)
class Recorded:
    """What one run has recorded of its training."""

    trace: Trace
    by_loss: bool = False
    """Each backward pass counts as a step: no optimizer makes one, the script updates its weights by itself."""

    @cached_property
    def losses(self) -> tuple[LossSeen, ...]:
        """In their order."""
        found = [event for event in self.trace.events if isinstance(event, LossSeen)]
        if self.by_loss:
            found = [replace(event, step=event.number) for event in found]
        return tuple(sorted(found, key=lambda event: event.number))

    @property
    def failure(self) -> str | None:
        """Why the script ended, where it failed behind its training."""
        return next((event.detail for event in self.noticed if event.what == ENDED), None)

    @cached_property
    def steps(self) -> tuple[StepSeen, ...]:
        """In their order."""
        if self.by_loss:
            return tuple(StepSeen(loss.number, 0, 0.0, 0, 0, {}, loss.site) for loss in self.losses)
        found = [event for event in self.trace.events if isinstance(event, StepSeen)]
        return tuple(sorted(found, key=lambda event: event.step))

    @cached_property
    def noticed(self) -> tuple[Noticed, ...]:
        """What bears on the comparison."""
        return tuple(event for event in self.trace.events if isinstance(event, Noticed))

    def parameters(self, *, end: bool) -> tuple[ParameterSeen, ...]:
        """By optimizer and place, before the first step or at the end."""
        found = [event for event in self.trace.events if isinstance(event, ParameterSeen) and event.end == end]
        return tuple(sorted(found, key=lambda event: (event.optimizer, event.place)))

    def in_order_of(self, other: Recorded) -> Recorded:
        """The record, with the parameters of each optimizer at the places of their namesakes in another record.

        What shards a model changes their order. Where an optimizer's names are not the same, they keep their places.
        """
        places = {
            (optimizer, place): theirs[name]
            for optimizer, own in self._places().items()
            if (theirs := other._places().get(optimizer, {})).keys() == own.keys()
            for name, place in own.items()
        }

        def moved(event: Event) -> Event:
            if isinstance(event, ParameterSeen):
                return replace(event, place=places.get((event.optimizer, event.place), event.place))
            return event

        return replace(self, trace=replace(self.trace, events=tuple(moved(event) for event in self.trace.events)))

    def _places(self) -> dict[int, dict[str, int]]:
        """By optimizer, the place of each parameter; only of those whose parameters all have names of their own."""
        seen = self.parameters(end=False)
        found: dict[int, dict[str, int]] = {}
        for item in seen:
            found.setdefault(item.optimizer, {})[item.name] = item.place
        counts = Counter(item.optimizer for item in seen)
        return {key: names for key, names in found.items() if "" not in names and len(names) == counts[key]}

    @cached_property
    def _losses_by_step(self) -> dict[int, list[LossSeen]]:
        grouped: dict[int, list[LossSeen]] = {}
        for loss in self.losses:
            grouped.setdefault(loss.step, []).append(loss)
        return grouped

    def losses_before(self, step: int) -> Sequence[LossSeen]:
        """Of the backward passes between the optimizer steps `step` - 1 and `step`."""
        return self._losses_by_step.get(step, [])

    def site(self, step: int, what: str) -> Site | None:
        """The line of the backward pass, or of the step."""
        losses = self.losses_before(step)
        if what == LOSS and losses:
            return losses[0].site
        return self.steps[step - 1].site if step <= len(self.steps) else None


def figures(original: Recorded, port: Recorded, rtol: float, rounding: Recorded | None) -> tuple[Figure, ...]:
    """The losses and gradient norms of the steps that both have made, as far as they are the same in number."""
    carried = _carried(original, rounding) if rounding else {}
    largest = 0.0
    found: list[Figure] = []
    for step in range(1, min(len(original.steps), len(port.steps)) + 1):
        mine, its = original.losses_before(step), port.losses_before(step)
        if len(mine) != len(its):
            break
        share = min(1.0, max(step / 100, 0.1)) if step > 1 else 0.01
        # What the third run has changed shows from its second step on.
        ahead = int(step * _AHEAD) + _LATER if step > 1 else 0
        for one, other in zip(mine, its, strict=True):
            largest = max(largest, abs(one.value))
            base = max(rtol * share, COARSE.get(one.dtype, 0.0))
            # A loss that passes through 0 is measured by what the losses are otherwise.
            scale = max(1.0, 0.01 * largest / max(abs(one.value), abs(other.value), 1e-300))
            allowed = max(base, 10 * carried.get((ahead, LOSS), 0.0)) * scale
            found.append(Figure(step, LOSS, one.value, other.value, allowed))
        coarse = max((COARSE.get(one.dtype, 0.0) for one in mine), default=0.0)
        allowed = max(_AMPLIFIED * rtol * share, 5 * coarse, 10 * carried.get((ahead, GRADIENT), 0.0))
        norms = original.steps[step - 1].gradient, port.steps[step - 1].gradient
        found.append(Figure(step, GRADIENT, *norms, 1.0 if max(norms) < _ROUNDED * largest else allowed))
    return tuple(found)


def _carried(original: Recorded, rounding: Recorded) -> dict[tuple[int, str], float]:
    """How far a rounding has carried up to each step, by what is looked at."""
    reached = {LOSS: 0.0, GRADIENT: 0.0}
    carried: dict[tuple[int, str], float] = {}
    last = min(len(original.steps), len(rounding.steps))
    for step in range(1, int(last * _AHEAD) + _LATER + 1):
        if step <= last:
            pairs = [(LOSS, one.value, other.value) for one, other in _pairs(original, rounding, step)]
            pairs.append((GRADIENT, original.steps[step - 1].gradient, rounding.steps[step - 1].gradient))
            for what, one, other in pairs:
                reached[what] = max(reached[what], Figure(step, what, one, other, 0.0).apart)
        carried |= {(step, what): value for what, value in reached.items()}
    return carried


def _pairs(original: Recorded, other: Recorded, step: int) -> list[tuple[LossSeen, LossSeen]]:
    return list(zip(original.losses_before(step), other.losses_before(step), strict=False))


def distance(one: ParameterSeen, other: ParameterSeen, start: ParameterSeen | None = None) -> float:
    """How far two tensors are apart, relative to the larger one, by the elements that were recorded.

    `start`: what both began with. A bias that has come near 0 is measured by the way that it has made.
    """
    if len(one.values) != len(other.values):
        return math.inf
    apart, size = math.dist(one.values, other.values), max(math.hypot(*one.values), math.hypot(*other.values))
    if start is not None and len(start.values) == len(one.values):
        size = max(size, math.dist(start.values, one.values))
    return 0.0 if not apart else apart / size
