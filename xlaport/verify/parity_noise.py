"""How far apart the outputs of two runs may be, measured by how far apart their training is.

Where losses agree to the sixth digit, so does what is computed from the same weights; where a convolution makes them a
thousandth apart, no more can be asked of an accuracy. What is beyond that is asked of the original once more, its
weights changed by a rounding (`rounding`): ten times what that does is allowed, as far as it moves the training no
further than the port is away; what it changes more than training explains is told by a clock, or differs from run to
run, and is not compared.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from xlaport.verify.events import CAST
from xlaport.verify.parity_figures import COARSE, LOSS, Recorded, distance
from xlaport.verify.verdict import Figure

FLOOR = 1e-4
"""What is always allowed, relative: sums in another order, and in another precision."""
TIMES = 10.0
_AHEAD = 1.25
_CLOCK, _CLOCK_TIMES = 1e-3, 20.0
"""A difference between two runs of the original that is larger than this, and than so many times that of its losses."""


@dataclass(frozen=True)
class Noise:
    """What is known of rounding in the training: the figures of both, and their parameters at the end.

    `carried` are those of the original and its run with other rounding, `rounding`, empty where there is none.
    """

    figures: Sequence[Figure]
    carried: Sequence[Figure]
    original: Recorded
    port: Recorded
    rounding: Recorded | None = None

    def allowed(self, step: int) -> float:
        """The relative difference of what is computed after so many steps."""
        return max(FLOOR, self._coarse, _by_step(self._apart, step))

    @cached_property
    def _coarse(self) -> float:
        """What an evaluation by a model that was cast to a lower precision rounds away: twice what its loss does."""
        cast = {event.detail for event in self.original.noticed if event.what == CAST}
        return 2 * max((COARSE.get(dtype, 0.0) for dtype in cast), default=0.0)

    @property
    def rounds(self) -> bool:
        """Whether the two differ so much that a sample may change sides."""
        return any(figure.apart > FLOOR / TIMES for figure in self.figures)

    def is_clock(self, apart: float, step: int) -> bool:
        """Whether a difference between two runs of the original is not one that training explains."""
        return apart > max(_CLOCK, _CLOCK_TIMES * _by_step(self._carried, int(step * _AHEAD) + 1))

    def of_parameter(self, name: str) -> float | None:
        """What is allowed to a parameter of the optimizers, by its name; None where none is called so."""
        return max(FLOOR, 3 * self._parameters[name]) if name in self._parameters else None

    @cached_property
    def of_tensors(self) -> float:
        """What is allowed to any other tensor."""
        return max(FLOOR, TIMES * statistics.median(self._parameters.values())) if self._parameters else FLOOR

    @cached_property
    def _parameters(self) -> dict[str, float]:
        return _distances(self.original, self.port)

    @cached_property
    def _moved(self) -> dict[str, float]:
        return _distances(self.original, self.rounding) if self.rounding else {}

    @cached_property
    def times(self) -> float:
        """How many times what the other rounding does is allowed: it may move a training more than the port does."""
        apart = math.hypot(*self._parameters.values()), math.hypot(*(figure.apart for figure in self.figures))
        moved = math.hypot(*self._moved.values()), math.hypot(*(figure.apart for figure in self.carried))
        shares = [one / other for one, other in zip(apart, moved, strict=True) if other and math.isfinite(other)]
        return TIMES * min(1.0, max(shares, default=1.0))

    @cached_property
    def _apart(self) -> list[float]:
        return _largest(self.figures)

    @cached_property
    def _carried(self) -> list[float]:
        return _largest(self.carried)


def _distances(original: Recorded, other: Recorded) -> dict[str, float]:
    """How far the parameters are apart at the end, by their names: those of the beginning, when the model was there."""
    names = {(item.optimizer, item.place): item.name for item in original.parameters(end=False)}
    found: dict[str, float] = {}
    for one, two in zip(original.parameters(end=True), other.parameters(end=True), strict=False):
        name = names.get((one.optimizer, one.place), "")
        if name:
            found[name] = max(found.get(name, 0.0), distance(one, two))
    return found


def _largest(figures: Sequence[Figure]) -> list[float]:
    """By step, from 1: how far apart the losses and gradients have been up to there, as outputs feel it."""
    by_step = [0.0] * max((figure.step for figure in figures), default=0)
    for figure in figures:
        # A loss near 0 is measured by the others.
        apart = min(figure.apart, figure.allowed) if figure.allowed else figure.apart
        # A gradient moves before the loss does, ten times as much.
        by_step[figure.step - 1] = max(by_step[figure.step - 1], TIMES * apart if figure.what == LOSS else apart)
    return list(accumulate(by_step, max))


def _by_step(values: Sequence[float], step: int) -> float:
    return values[min(max(step, 1), len(values)) - 1] if values else 0.0
