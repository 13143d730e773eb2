"""What a compiled program moves to and from the chip's memory, operation by operation.

An operation reads its operands and writes its results, where they lie in that memory and not on the chip. Of an array
of which it takes slices or places it reads those only, and what is updated in place is not written as a whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from xlaport.tpu.program import HBM, Array, Operation, Program

_FREE = {
    "parameter", "constant", "tuple", "get-tuple-element", "bitcast", "after-all", "partition-id", "replica-id",
    "copy-done", "async-done", "async-update", "opt-barrier", "domain", "add-dependency", "all-reduce-done",
    "all-gather-done", "collective-permute-done", "send-done", "recv-done",
}  # fmt: skip
"""What moves nothing, or is counted where it begins."""
_LOOKS = ("slice", "dynamic-slice", "gather")
"""What reads as much of its first operand as it gives."""
_PART = {"dynamic-update-slice": 1, "scatter": 2}
"""Where the operand is that an update writes into its first one."""
_SAME = ("bitcast", "reshape")
_RUNS = ("while", "conditional", "call")


@dataclass(frozen=True)
class Piece:
    """An operation that the chip runs as one. `inner`: what is fused into it. `times`: how often it runs; `bytes`: what
    it moves each time.
    """

    operation: Operation
    inner: tuple[Operation, ...]
    times: int
    bytes: int

    @property
    def cycles(self) -> int:
        """The compiler's estimate for all its runs."""
        return self.operation.cycles * self.times

    @property
    def traffic(self) -> int:
        """What it moves in all its runs."""
        return self.bytes * self.times

    @property
    def labels(self) -> set[int]:
        """The operations of the graph that it comes from."""
        return {each.label for each in (self.operation, *self.inner) if each.label is not None}


class Traffic:
    """The pieces of a program."""

    def __init__(self, program: Program, trips: Mapping[int, int] | None = None, space: int | None = HBM) -> None:
        """`trips`: how often loops run, by their labels; `space`: the memory that counts, None: all."""
        self._program, self._trips, self._space = program, trips or {}, space
        self._operations = program.operations
        self.pieces: tuple[Piece, ...] = tuple(self._of(program.entry, 1))

    def _of(self, number: int, times: int) -> Iterator[Piece]:
        for each in self._program.computations[number]:
            if each.op in _RUNS:
                yield from self._called(each, times)
            elif each.op not in _FREE:
                inner = self._inner(each)
                yield Piece(each, inner, times, self._moved(each, inner))

    def _called(self, each: Operation, times: int) -> Iterator[Piece]:
        trips = self._trips.get(each.label, each.trips) if each.label is not None else each.trips
        runs = [list(self._of(number, times * trips)) for number in each.called]
        if each.op == "conditional":  # at best, the branch that costs least
            runs = [min(runs, key=lambda pieces: sum(piece.traffic for piece in pieces))]
        for pieces in runs:
            yield from pieces

    def _inner(self, each: Operation) -> tuple[Operation, ...]:
        if each.op not in ("fusion", "async-start"):
            return ()
        return tuple(self._nested(each))

    def _nested(self, each: Operation) -> Iterator[Operation]:
        for number in each.called:
            for item in self._program.computations[number]:
                yield item
                if item.op == "fusion":
                    yield from self._nested(item)

    def _counted(self, array: Array) -> int:
        return array.room if self._space in (None, array.space) else 0

    def arrays(self, number: int) -> tuple[Array, ...]:
        """What an operation gives, by its number."""
        return self._operations[number].arrays if number in self._operations else ()

    def _moved(self, each: Operation, inner: tuple[Operation, ...]) -> int:
        if each.op == "copy-start":
            return sum(map(self._counted, (*self.arrays(each.operands[0])[:1], *each.arrays[:1])))
        if each.op == "async-start" and inner:
            return self._wrapped(each)
        if each.op == "fusion" and inner:
            return self._fused(each)
        given = sum(map(self._counted, each.arrays))
        read = [sum(map(self._counted, self.arrays(number))) for number in each.operands]
        if (each.op in _LOOKS or self._halves(each)) and read:
            looked = sum(array.room for array in each.arrays)
            return given + min(read[0], looked) + sum(read[1:])
        if _is_update(each):
            return self._updated(each, each.arrays[0]) + sum(read[1:])
        return given + sum(read)

    def _halves(self, each: Operation) -> bool:
        """Whether it takes the low or the high half of numbers of 64 bits, which are two arrays on a TPU."""
        wide = [array.bits for number in each.operands for array in self.arrays(number)]
        return each.op == "custom-call" and wide == [64] and [array.bits for array in each.arrays] == [32]

    def _updated(self, each: Operation, whole: Array) -> int:
        """What an update of a part writes of the whole, which lies where it lay."""
        size = sum(array.room for array in self.arrays(each.operands[_PART[each.op]])[:1])
        return min(size, self._counted(whole))

    def _wrapped(self, each: Operation) -> int:
        """A copy beside the other work: its results are in the memory that the start says, behind the operands."""
        root = self._program.computations[each.called[0]][-1]
        count = sum(len(self.arrays(number)) for number in each.operands)
        given = sum(map(self._counted, each.arrays[count : count + len(root.arrays)]))
        sizes = sum(array.room for array in root.arrays)
        read = sum(sum(map(self._counted, self.arrays(number))) for number in each.operands)
        if _is_update(root):
            return min(read + given, 2 * self._updated(root, root.arrays[0]))
        return given + (min(read, sizes) if root.op in _LOOKS else read)

    # -- fusions

    def _fused(self, each: Operation) -> int:
        read = 0
        for place, operand in enumerate(each.operands):
            whole = sum(map(self._counted, self.arrays(operand)))
            read += min(whole, self._inside(each, place, whole)) if whole else 0
        return read + self._written(each)

    def _inside(self, fusion: Operation, place: int, otherwise: int) -> int:
        """What a fusion reads of an operand."""
        body = self._program.computations[fusion.called[0]]
        users: dict[int, list[Operation]] = {}
        for item in body:
            for operand in dict.fromkeys(item.operands):
                users.setdefault(operand, []).append(item)
        inside = next((item for item in body if item.op == "parameter" and item.parameter == place), None)
        return self._read(inside, users) if inside is not None else otherwise

    def _read(self, whole: Operation, users: dict[int, list[Operation]]) -> int:
        size, found = sum(array.room for array in whole.arrays), 0
        if whole.number not in users:  # it is a result
            return size
        for user in users[whole.number]:
            places = [place for place, operand in enumerate(user.operands) if operand == whole.number]
            if user.op in _SAME:
                found += self._read(user, users)
            elif user.op == "fusion":
                found += sum(self._inside(user, place, size) for place in places)
            elif user.op in _LOOKS and places == [0]:
                found += sum(array.room for array in user.arrays)
            elif not (_is_update(user) and places == [0]):
                return size
        return min(found, size)

    def _written(self, each: Operation) -> int:
        made = self.results(each)
        if len(made) != len(each.arrays):
            return sum(map(self._counted, each.arrays))
        return sum(
            self._updated(item, array) if _is_update(item) else self._counted(array)
            for item, array in zip(made, each.arrays, strict=True)
        )

    def results(self, each: Operation) -> list[Operation]:
        """What makes each result of an operation: within a fusion, an operation in it."""
        return self._roots(each)

    def _roots(self, root: Operation) -> list[Operation]:
        if root.op == "tuple":
            return [item for number in root.operands for item in self._roots(self._operations[number])]
        if root.op in _SAME and root.operands:
            return self._roots(self._operations[root.operands[0]])
        if root.op == "fusion":
            return self._roots(self._program.computations[root.called[0]][-1])
        return [root]


def _is_update(each: Operation) -> bool:
    return each.op in _PART and (each.op != "scatter" or len(each.operands) == 3)
