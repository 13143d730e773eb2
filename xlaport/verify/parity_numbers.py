"""Does a number that both runs print agree, each time that they print it?"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from xlaport.verify.parity_noise import Noise
from xlaport.verify.parity_text import Number

_FLIPS = 2
"""Samples that may change sides where the two are apart by more than a rounding."""
_FLIPPED = 0.07
"""What share of all samples these may be: of 16, one."""
_FEW_SAMPLES, _BY_CHANCE = 8, 0.01
"""Of so many, one may change sides whatever its share: of numbers that no other samples give as they are printed."""
_MOST_SAMPLES = 10_000
_FLOAT32 = 2e-7
"""How far the share of some samples may be from its float32, or from a mean of these."""
_PAST_ZERO = 0.01
"""A number that passes through 0 is measured by this share of the largest one of its place."""
_AHEAD = 1.25


@dataclass(frozen=True)
class Place:
    """One number of a line that is printed again and again: as the original printed it, and after which steps.

    `again` are those of the original with other rounding, None where it was not run so.
    """

    numbers: Sequence[Number]
    steps: Sequence[int]
    again: Sequence[Number] | None
    noise: Noise

    @cached_property
    def is_skipped(self) -> bool:
        """Whether the number is told by a clock: its words say so, or it is another in each run of the original."""
        return any(number.clock for number in self.numbers) or any(
            self.noise.is_clock(apart, step) for apart, step in zip(self._moved, self.steps, strict=False)
        )

    def agrees(self, at: int, other: Number) -> bool:
        """Whether the port's number is the one that the original printed for the `at`-th time (from 0)."""
        one = self.numbers[at]
        x, y = one.value, other.value
        if x == y or (math.isnan(x) and math.isnan(y)):
            return True
        if not (math.isfinite(x) and math.isfinite(y)):
            return False
        apart, unit = abs(x - y), max(one.unit, other.unit)
        allowed = self.noise.allowed(self.steps[at])
        if self._carried:
            ahead = min(int((at + 1) * _AHEAD), len(self._carried) - 1)
            allowed = max(allowed, self.noise.times * self._carried[ahead])
        return apart <= allowed * self._size(x, y) + 1.01 * unit or self._only_flips(one, other)

    def _size(self, x: float, y: float) -> float:
        return max(abs(x), abs(y), _PAST_ZERO * self._largest)

    @cached_property
    def _largest(self) -> float:
        return max((abs(item.value) for item in self.numbers if math.isfinite(item.value)), default=0.0)

    @cached_property
    def _moved(self) -> list[float]:
        """How far a rounding has moved the number, each time, beyond what rounds it for print."""
        pairs = zip(self.numbers, self.again or (), strict=False)
        return [_apart(one, two, self._size(one.value, two.value)) for one, two in pairs]

    @cached_property
    def _carried(self) -> list[float]:
        return list(accumulate(self._moved, max))

    def _only_flips(self, one: Number, other: Number) -> bool:
        """Whether the two may be shares or counts of samples, of which one or two have changed sides."""
        if not (one.share and other.share and self.noise.rounds and one.of == other.of):
            return False
        apart = abs(one.value - other.value)
        if one.of != 100 and one.of > 1 and not one.unit:  # 13/16
            return apart <= min(_FLIPS, max(1.0, _FLIPPED * one.of))
        share = apart / one.of
        values = [item.value / one.of for item in (*self.numbers, other)]
        unit = max(one.unit, other.unit) / one.of
        samples = _samples([value for value in values if math.isfinite(value)], unit)
        if samples is None:
            return False
        flips, is_told = round(share * samples), samples >= _FEW_SAMPLES and samples * unit <= _BY_CHANCE
        return flips <= _FLIPS if share <= _FLIPPED else flips == 1 and is_told


def _apart(one: Number, two: Number, size: float) -> float:
    x, y = one.value, two.value
    if x == y or (math.isnan(x) and math.isnan(y)):
        return 0.0
    if not (math.isfinite(x) and math.isfinite(y)):
        return math.inf
    return max(abs(x - y) - 1.01 * max(one.unit, two.unit), 0.0) / size


def _samples(values: Sequence[float], unit: float) -> int | None:
    """The fewest samples of which all values are shares, as they are printed."""
    most = min(_MOST_SAMPLES, int(0.5 / unit)) if unit else _MOST_SAMPLES
    for count in range(2, most + 1):
        if all(abs(value - round(value * count) / count) <= 0.51 * unit + _FLOAT32 for value in values):
            return count
    return None
