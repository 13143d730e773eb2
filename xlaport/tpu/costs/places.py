"""Costs of looking up and writing at places that the data say, and of sorting."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from xlaport.tpu.costs.measured import Measured, Part
from xlaport.tpu.module import Instruction

_UPDATES = ("dynamic-update-slice", "scatter")
_MANY = 8
"""Updates in one line from which on they are a loop's."""


def gathers(measured: Measured) -> Iterator[Part]:
    """Values at places: an element at a time, or a row."""
    for each in _all(measured, "gather"):
        source = next(measured.module.sources(each))
        row = each.source_op.rpartition("__")[2] in ("index_select", "embedding") and len(source.arrays[0].sizes) > 1
        yield _part(measured, "gather.rows" if row else "gather.elements", each, str(source.arrays[0]))


def scatters(measured: Measured) -> Iterator[Part]:
    """Values written to places, as behind an embedding."""
    looped = _looped(measured)
    for each in _all(measured, "scatter"):
        if each.number not in looped:
            yield _part(measured, "scatter.rows", each, str(each.arrays[0]))


def updates(measured: Measured) -> Iterator[Part]:
    """Parts of one array that a loop writes one after the other."""
    looped = _looped(measured)
    for each in _all(measured, *_UPDATES):
        if each.number in looped:
            yield _part(measured, "updates-in-loop.parts", each, str(each.arrays[0]))


def sorts(measured: Measured) -> Iterator[Part]:
    """Sorting, also for the largest few."""
    for each in _all(measured, "sort"):
        top = each.source_op.rpartition("__")[2] in ("topk", "kthvalue")
        yield _part(measured, "sort.top" if top else "sort.whole", each, str(each.arrays[0]))


def _all(measured: Measured, *ops: str) -> list[Instruction]:
    return [each for each in measured.module.operations.values() if each.op in ops]


def _part(measured: Measured, key: str, each: Instruction, array: str) -> Part:
    """The time of the pieces that are named after an operation."""
    pieces = [piece for piece in measured.pieces(each.number) if measured.own(piece) is each]
    return Part(
        each.number,
        key,
        sum(map(measured.time, pieces)),
        sum(piece.traffic for piece in pieces),
        {"array": array},
    )


def _looped(measured: Measured) -> set[int]:
    """The updates that a loop in Python has traced one by one. In a loop of the graph each is made where it lies."""
    found = [(each, measured.lines.site(each.number)) for each in _all(measured, *_UPDATES)]
    count = Counter((site, each.arrays[0].sizes) for each, site in found)
    return {each.number for each, site in found if count[site, each.arrays[0].sizes] >= _MANY}
