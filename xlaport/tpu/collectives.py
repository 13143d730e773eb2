"""In which operations the chips of a slice meet while a graph runs, and how much they bring to each of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from xlaport.tpu.origins import Origins
from xlaport.tpu.program import Operation, Program
from xlaport.verify.counts import Site
from xlaport.verify.on_chip import Collective

GATHER, REDUCE, SCATTER = "all-gather", "all-reduce", "reduce-scatter"
_KINDS = frozenset({GATHER, REDUCE, SCATTER, "all-to-all", "collective-permute"})
_BEGINS = "-start"
_SEMAPHORES = 2
"""The memory space of what waits for a transfer."""


@dataclass(frozen=True)
class _Met:
    """A collective that runs so many times, and the operation of the program that holds it."""

    kind: str
    operation: Operation
    holder: Operation
    times: int


def collectives(program: Program, origins: Origins, chips: int) -> tuple[Collective, ...]:
    """The collectives of a program on so many chips, by kind and line; what moves most first."""
    operations = program.operations
    counts, moved = dict[tuple[str, Site | None], int](), dict[tuple[str, Site | None], int]()
    for met in _met(program, operations, program.entry, 1, None):
        key = met.kind, origins.site(met.operation) or origins.site(met.holder)
        counts[key] = counts.get(key, 0) + met.times
        moved[key] = moved.get(key, 0) + met.times * _moved(met, operations, chips)
    found = (Collective(kind, site, counts[kind, site], moved[kind, site]) for kind, site in counts)
    return tuple(sorted(found, key=lambda each: -each.bytes))


def _met(
    program: Program, operations: dict[int, Operation], computation: int, times: int, holder: Operation | None
) -> Iterator[_Met]:
    inside = program.computations[computation]
    values = {each.number: each for each in inside}
    for each in inside:
        kind = each.op.removesuffix(_BEGINS)
        if kind in _KINDS:
            sliced = kind == REDUCE and any(_slices(other, each, values) for other in inside)
            yield _Met(SCATTER if sliced else kind, each, holder or each, times)
        elif not _goes_on(each, operations):
            for called in each.called:
                yield from _met(program, operations, called, times * each.trips, holder or each)


def _goes_on(operation: Operation, operations: dict[int, Operation]) -> bool:
    """Whether a fusion only carries on, or ends, what another one began: it holds a copy of that, and is handed the
    semaphores (measured, libtpu 0.0.21).
    """
    handed = (array for number in operation.operands for array in operations[number].arrays)
    return operation.op == "fusion" and any(array.space == _SEMAPHORES for array in handed)


def _slices(operation: Operation, of: Operation, values: dict[int, Operation]) -> bool:
    """Whether a chip keeps a part of a sum: in one fusion with it, that is a reduce-scatter."""
    if operation.op != "dynamic-slice":
        return False
    source = values.get(operation.operands[0])
    if source is not None and source.op == "get-tuple-element":
        source = values.get(source.operands[0])
    return source is of


def _moved(met: _Met, operations: dict[int, Operation], chips: int) -> int:
    """What each chip gets from the others, at least."""
    joined = met.operation.group or chips
    own = sum(array.bytes for number in met.operation.operands for array in operations[number].arrays)
    if met.kind == GATHER:
        return own * (joined - 1)
    if met.kind == "collective-permute":
        return own
    return own * (joined - 1) * (2 if met.kind == REDUCE else 1) // joined
