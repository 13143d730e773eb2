"""What is costly in a program on a TPU, by the user's lines: what it is, what it costs, and what would help."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from xlaport.tpu.chips import Chip
from xlaport.tpu.costs import arrays, places, products
from xlaport.tpu.costs.measured import Measured, Part, told
from xlaport.tpu.program import Program
from xlaport.verify.counts import Site
from xlaport.verify.on_chip import Cost, Line

__all__ = ["Cost", "Line", "costs_of", "lines_of"]

_FINDERS: tuple[Callable[[Measured], Iterable[Part]], ...] = (
    products.padding,
    products.float32,
    products.scores,
    places.gathers,
    places.scatters,
    places.updates,
    places.sorts,
    arrays.layouts,
    arrays.upcasts,
    arrays.donations,
    arrays.constants,
    arrays.wide_numbers,
    arrays.transfers,
    arrays.recomputed,
)


def costs_of(graph_dump: bytes, program: Program, chip: Chip) -> tuple[Cost, ...]:
    """The costs of a traced graph that was compiled for a chip, the largest first; what matters little is left out."""
    measured = Measured.of(graph_dump, program, chip)
    return told(measured, (part for find in _FINDERS for part in find(measured)))


def lines_of(graph_dump: bytes, program: Program, chip: Chip) -> tuple[Line, ...]:
    """Where the time of a step goes, the most first."""
    measured = Measured.of(graph_dump, program, chip)
    found: dict[Site, tuple[float, int]] = {}
    for piece in measured.traffic.pieces:
        each = measured.own(piece)
        site = measured.lines.site(each.number) if each is not None else None
        if site is not None:
            time, size = found.get(site, (0.0, 0))
            found[site] = time + measured.time(piece), size + piece.traffic
    lines = [Line(site, time / max(measured.total, 1), size) for site, (time, size) in found.items()]
    return tuple(sorted(lines, key=lambda line: -line.share))
