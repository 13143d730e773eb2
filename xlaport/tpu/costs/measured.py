"""What the operations of a program take on a chip, and how it is put together by the user's lines.

The compiler estimates the cycles of most operations, and of gathers, scatters and sorts it does not: for these, a
bound from below stands in.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from xlaport.tpu.chips import Chip
from xlaport.tpu.lines import Lines
from xlaport.tpu.loops import trips_in
from xlaport.tpu.matrix import Product, products
from xlaport.tpu.module import Instruction, Module, read_module
from xlaport.tpu.program import HBM, Program
from xlaport.tpu.traffic import Piece, Traffic
from xlaport.verify.counts import Site
from xlaport.verify.on_chip import Cost
from xlaport.verify.wire import message_of, numbers_of
from xlaport.wording import Wording

say = Wording(Path(__file__).parent)

LEAST_TIME = 0.02
"""The part of a step's time from which on a cost is told."""
LEAST_SECONDS = 5e-6
"""What a cost takes at least: the host needs longer to start a step."""
LEAST_MEMORY = 0.02
"""The part of the program's memory from which on a cost is told."""
_ROW = 512
"""Bytes that the chip's memory reads for one value at least: a row of 128 lanes."""
_LANES = 1024
"""Values that the vector unit takes at once."""
_BESIDE = ("copy-start", "async-start")
"""Copies that run beside other work."""
_SCATTER_DIMENSIONS, _SLICE_SIZES, _DIMENSIONS = 48, 34, 14
"""Fields of an ``HloInstructionProto``."""


@dataclass(frozen=True)
class Part:
    """One operation's part of a cost. `number`: of the operation in the graph; `key`: of its text; `names`: what the
    text is filled in with, where it is the largest of its line. `least`: the share from which on it is told, where that
    is another than usual.
    """

    number: int
    key: str
    cycles: float
    bytes: float
    names: Mapping[str, object] = field(default_factory=dict)
    of_memory: bool = False
    least: float | None = None


@dataclass(frozen=True)
class Measured:
    """A traced graph, the program that was made of it, and the chip."""

    module: Module
    program: Program
    chip: Chip
    traffic: Traffic
    lines: Lines

    @classmethod
    def of(cls, graph_dump: bytes, program: Program, chip: Chip) -> Measured:
        """Read from a dump."""
        module = read_module(graph_dump)
        return cls(module, program, chip, Traffic(program, trips_in(module)), Lines(module))

    @cached_property
    def products(self) -> list[Product]:
        """The work of the matrix unit."""
        return products(self.module, self.chip.side, trips_in(self.module))

    @cached_property
    def total(self) -> float:
        """Cycles of the whole program, no less than what it moves takes: copies run beside other work."""
        moved = sum(piece.traffic for piece in self.traffic.pieces)
        return max(sum(map(self.time, self.traffic.pieces)), self.moving(moved))

    @cached_property
    def memory(self) -> int:
        """Bytes of the chip's memory that the program takes."""
        return sum(each.size for each in self.program.allocations if each.space == HBM and not each.is_local)

    @cached_property
    def by_label(self) -> dict[int, list[Piece]]:
        """The pieces that hold something of an operation of the graph."""
        found: dict[int, list[Piece]] = {}
        for piece in self.traffic.pieces:
            for label in piece.labels:
                found.setdefault(label, []).append(piece)
        return found

    def pieces(self, number: int) -> list[Piece]:
        """Those that hold something of one."""
        return self.by_label.get(number, [])

    def fetched(self, piece: Piece) -> int:
        """Bytes that were brought onto the chip ahead for a piece."""
        operations, size = self.program.operations, 0
        for number in piece.operation.operands:
            done = operations.get(number)
            if done is not None and done.op == "copy-done":
                size += self._started.get(done.operands[0], 0)
        return size

    @cached_property
    def _started(self) -> dict[int, int]:
        """What each copy that runs beside other work moves, by the number of its operation."""
        return {piece.operation.number: piece.traffic for piece in self.traffic.pieces if piece.operation.op in _BESIDE}

    def own(self, piece: Piece) -> Instruction | None:
        """The operation of the graph that a piece is named after, or else the last one in it."""
        labels = [piece.operation.label, *(each.label for each in reversed(piece.inner))]
        return next((self.module.operations[label] for label in labels if label in self.module.operations), None)

    def time(self, piece: Piece) -> float:
        """Cycles that a piece takes, at least."""
        if piece.cycles or piece.operation.op in _BESIDE:
            return float(piece.cycles)
        least = [self.moving(piece.traffic)]
        for label in piece.labels:
            if label in self.module.operations:
                least.append(self.least(self.module.operations[label]) * piece.times)
        return max(least)

    def moving(self, size: float) -> float:
        """Cycles that reading or writing so many bytes takes."""
        return size / self.chip.bandwidth * self.chip.clock

    def least(self, each: Instruction) -> float:
        """Cycles that an operation takes at least of which the compiler has no estimate."""
        if each.op == "gather":
            return self.moving(_touched(each.bytes, _of_gather(each), each.arrays[0].bits))
        if each.op == "scatter":
            updates = self.module.operations[each.operands[-1]].arrays[0]
            return self.moving(2 * _touched(updates.bytes, _of_scatter(each, updates.sizes), updates.bits))
        if each.op == "sort":
            along = each.arrays[0].sizes[numbers_of(each.fields.get(_DIMENSIONS, [0]))[0]]
            stages = math.ceil(math.log2(max(2, along)))
            return sum(array.elements for array in each.arrays) / _LANES * stages * (stages + 1) / 2
        return 0.0


def told(measured: Measured, parts: Iterable[Part]) -> tuple[Cost, ...]:
    """The costs by line, the largest first."""
    found: dict[tuple[str, Site | None], list[Part]] = {}
    for part in parts:
        found.setdefault((part.key, measured.lines.site(part.number)), []).append(part)
    costs = [_cost(measured, key, site, group) for (key, site), group in found.items()]
    return tuple(sorted((cost for cost in costs if cost is not None), key=lambda cost: -cost.share))


def _cost(measured: Measured, key: str, site: Site | None, parts: list[Part]) -> Cost | None:
    cycles, size = sum(part.cycles for part in parts), sum(part.bytes for part in parts)
    largest = max(parts, key=lambda part: (part.cycles, part.bytes))
    of_memory = largest.of_memory
    taken, whole = (size, measured.memory) if of_memory else (cycles, measured.total)
    share = taken / max(taken, whole, 1)
    usual = LEAST_MEMORY if of_memory else LEAST_TIME
    if share < (usual if largest.least is None else largest.least):
        return None
    if not of_memory and cycles < LEAST_SECONDS * measured.chip.clock:
        return None
    names = {**largest.names, "share": share, "megabytes": size / 1e6, "count": len(parts)}
    text = say(key, **names)
    return Cost(text.code, text.message, text.recipe, site, int(size), int(cycles), share, of_memory)


def _touched(size: int, window: int, bits: int) -> float:
    """Bytes that are read or written for values that lie apart, in pieces of `window` values."""
    piece = max(1, window * bits // 8)
    return size / piece * max(piece, _ROW)


def _of_gather(each: Instruction) -> int:
    sizes = numbers_of(each.fields.get(_SLICE_SIZES, []))
    return sizes[-1] if sizes else 1


def _of_scatter(each: Instruction, updates: tuple[int, ...]) -> int:
    said = message_of(each.fields[_SCATTER_DIMENSIONS][0]) if _SCATTER_DIMENSIONS in each.fields else {}
    window = numbers_of(said.get(1, []))
    return updates[window[-1]] if window else 1
