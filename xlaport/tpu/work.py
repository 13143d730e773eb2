"""How fast a program can be on a chip at best: the work of its matrix unit, what it moves, and the time of that.

Both are bounds from below: no program is faster than its matrix unit multiplies, or than its memory reads and writes.
Beside them stands the compiler's own estimate, which has none for gathers, scatters and sorts.
"""

from __future__ import annotations

from xlaport.tpu.chips import Chip
from xlaport.tpu.loops import trips_in
from xlaport.tpu.matrix import products
from xlaport.tpu.module import read_module
from xlaport.tpu.program import Program
from xlaport.tpu.traffic import Traffic
from xlaport.verify.on_chip import Work


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
