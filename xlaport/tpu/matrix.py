"""What the matrix unit of a TPU has to do for a graph: products of matrices and convolutions, and their padding.

A unit holds a square of values of one operand, `side` on a side, and the rows of the other run through it, eight at a
time. Sizes that are no multiple of that are filled up, and the unit multiplies zeros.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from xlaport.tpu.module import Instruction, Module
from xlaport.verify.wire import message_of, numbers_of

_ROWS = 8
_PASSES = {0: 1, 1: 3, 2: 6}
"""How often the unit multiplies for a product of float32 by its precision: DEFAULT takes the operands as bfloat16."""
_DOT, _WINDOW, _CONVOLUTION, _GROUPS, _PRECISION, _BATCH_GROUPS = 30, 15, 16, 50, 51, 61
"""Fields of an ``HloInstructionProto``."""


@dataclass(frozen=True)
class Product:
    """A product of matrices of the graph. `flops`: what it is by definition, two for each multiplication. `padded`:
    what the matrix unit does for that at least. Both for all its runs. `count` products of `sizes`: rows, columns, and
    what is summed over.
    """

    number: int
    flops: float
    padded: float
    passes: int
    count: int
    sizes: tuple[int, int, int]
    is_float32: bool

    @property
    def work(self) -> float:
        """What the unit does, its passes counted."""
        return self.padded * self.passes


@dataclass(frozen=True)
class _Sizes:
    """`count` products of [rows, summed] @ [summed, columns]; `share`: the part that is not of zeros known."""

    count: int
    rows: int
    columns: int
    summed: int
    share: float = 1.0

    @property
    def flops(self) -> float:
        return 2.0 * self.count * self.rows * self.columns * self.summed * self.share

    def filled(self, side: int) -> float:
        """By what the work is more for the sizes of the unit; the operand that stays in it is chosen well."""
        rows, columns, summed = self.rows, self.columns, self.summed
        if min(rows, columns, summed) <= 1:
            return 1.0  # the vector unit does that
        least = min(_up(rows, _ROWS) * _up(columns, side), _up(rows, side) * _up(columns, _ROWS))
        return least * _up(summed, side) / (rows * columns * summed)


def products(module: Module, side: int, trips: Mapping[int, int]) -> list[Product]:
    """All products of a graph. `trips`: how often its loops run, by their numbers, where that is known."""
    return [
        _product(module, each, side, times)
        for each, times in executed(module, module.entry, trips)
        if each.op in ("dot", "convolution")
    ]


def executed(
    module: Module, number: int, trips: Mapping[int, int], times: int = 1
) -> Iterator[tuple[Instruction, int]]:
    """What a computation runs, and how often; of branches, the one with the fewest operations."""
    for each in module.computations[number]:
        yield each, times
        called = each.called
        if each.op == "conditional":
            called = tuple(sorted(called, key=lambda item: len(module.computations[item]))[:1])
        if each.op in ("while", "conditional", "call"):
            for inner in called:
                yield from executed(module, inner, trips, times * trips.get(each.number, 1))


def _product(module: Module, each: Instruction, side: int, times: int) -> Product:
    left, right = (module.operations[number].arrays[0] for number in each.operands[:2])
    options = (_of_dot if each.op == "dot" else _of_window)(each, left.sizes, right.sizes)
    first = options[0]
    flops = first.flops * times
    filled = min(option.filled(side) * option.flops / first.flops for option in options) if flops else 1.0
    is_float32 = {left.kind, right.kind} == {"f32"}
    half = 0.5 if max(left.bits, right.bits) <= 8 else 1.0  # twice as many integers as floats
    return Product(
        each.number,
        flops,
        flops * filled * half,
        _passes(each) if is_float32 else 1,
        first.count,
        (first.rows, first.columns, first.summed),
        is_float32,
    )


def _passes(each: Instruction) -> int:
    config = message_of(each.fields[_PRECISION][0]) if _PRECISION in each.fields else {}
    return max((_PASSES.get(item, 1) for item in numbers_of(config.get(1, []))), default=1)


def _of_dot(each: Instruction, left: Sequence[int], right: Sequence[int]) -> list[_Sizes]:
    said = message_of(each.fields[_DOT][0])
    summed, other, batch = (numbers_of(said.get(number, [])) for number in (1, 2, 3))
    of_right = {*other, *numbers_of(said.get(4, []))}
    rows = math.prod(size for i, size in enumerate(left) if i not in (*summed, *batch))
    columns = math.prod(size for i, size in enumerate(right) if i not in of_right)
    return [_Sizes(math.prod(left[i] for i in batch), rows, columns, math.prod(left[i] for i in summed))]


def _of_window(each: Instruction, left: Sequence[int], kernel: Sequence[int]) -> list[_Sizes]:
    """The sizes of a convolution, one group at a time; and those of one with all groups, the others' kernels zero."""
    said = message_of(each.fields[_CONVOLUTION][0])
    result = each.arrays[0].sizes

    def first(number: int) -> int:
        return int(said.get(number, [0])[0])

    windows = [message_of(item) for item in message_of(each.fields[_WINDOW][0]).get(1, [])]
    inputs, outputs = (numbers_of(said.get(number, [])) for number in (11, 12))
    share = 1.0
    for window, i, o in zip(windows, inputs, outputs, strict=True):
        size = window.get(1, [1])[0]
        share *= _valid(left[i], result[o], *_window(window)) / max(1, result[o] * size)
    taps = math.prod(window.get(1, [1])[0] for window in windows)
    groups = max(each.fields.get(_GROUPS, [1])[0], each.fields.get(_BATCH_GROUPS, [1])[0], 1)
    rows = result[first(9)] * math.prod(result[o] for o in outputs)
    columns, depth = result[first(10)], kernel[first(3)] * taps
    apart = _Sizes(groups, rows, columns // groups, depth, share)
    return [apart] if groups == 1 else [apart, _Sizes(1, rows, columns, depth * groups, share)]


def _window(window: Mapping[int, list[Any]]) -> tuple[int, int, int, int, int]:
    size, stride, low, _, dilation, base = (numbers_of(window.get(number, [0]))[0] for number in (1, 2, 3, 4, 5, 6))
    return size, max(stride, 1), low, max(dilation, 1), max(base, 1)


@lru_cache(maxsize=4096)
def _valid(inputs: int, outputs: int, size: int, stride: int, low: int, dilation: int, base: int) -> int:
    """How many pairs of a place of the result and one of the kernel meet a value, neither padding nor a gap."""
    end = (inputs - 1) * base
    return sum(
        1
        for place in range(outputs)
        for tap in range(size)
        if 0 <= (at := place * stride + tap * dilation - low) <= end and at % base == 0
    )


def _up(size: int, unit: int) -> int:
    return -(-size // unit) * unit
