"""How fast a program can be on a chip at best: the work of its matrix unit, what it moves, and the time of that.

Both are bounds from below: no program is faster than its matrix unit multiplies, or than its memory reads and writes.
Beside them stands the compiler's own estimate, which has none for gathers, scatters and sorts.
"""

from __future__ import annotations

from dataclasses import dataclass

from xlaport.tpu.chips import Chip
from xlaport.tpu.loops import trips_in
from xlaport.tpu.matrix import products
from xlaport.tpu.module import read_module
from xlaport.tpu.program import Program
from xlaport.tpu.traffic import Traffic

MATRIX, MEMORY = "matrix unit", "memory"


@dataclass(frozen=True)
class Work:
    """The work of one run of a program on a chip, or of one chip of a slice.

    `flops`: of products of matrices and convolutions, by definition. `padded`: what the matrix unit does for them, with
    padding, and as often as their precision wants it. `bytes`: what goes to and from the chip's memory. Times in
    seconds; `bound` is the one of the two that takes longer. `estimate`: the compiler's, 0 where it has none.
    """

    flops: float
    padded: float
    padding: float
    bytes: int
    matrix_seconds: float
    memory_seconds: float
    estimate: float

    @property
    def seconds(self) -> float:
        """The least time."""
        return max(self.matrix_seconds, self.memory_seconds)

    @property
    def bound(self) -> str:
        """What takes it."""
        return MATRIX if self.matrix_seconds >= self.memory_seconds else MEMORY

    @property
    def utilization(self) -> float:
        """The part of the chip's peak that the matrix unit reaches at best, without the padding."""
        return self.flops / self.padded * self.matrix_seconds / self.seconds if self.padded and self.seconds else 0.0


def work_of(graph_dump: bytes, program: Program, chip: Chip) -> Work:
    """The work of a traced graph that was compiled for a chip."""
    module = read_module(graph_dump)
    trips = trips_in(module)
    traffic, done = Traffic(program, trips), products(module, chip.side, trips)
    flops, padded = (
        sum(values) / chip.count for values in ([item.flops for item in done], [item.work for item in done])
    )
    passes = sum(item.flops * item.passes for item in done) / chip.count
    moved = sum(piece.traffic for piece in traffic.pieces)
    return Work(
        flops,
        padded,
        1 - passes / padded if padded else 0.0,
        moved,
        padded / chip.flops,
        moved / chip.bandwidth,
        sum(piece.cycles for piece in traffic.pieces) / chip.clock,
    )
