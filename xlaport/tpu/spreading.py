"""How a graph is spread over the chips of a slice: partitions of one program (SPMD), or replicas that meet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from xlaport.errors import UserError
from xlaport.tpu.chips import Chip
from xlaport.tpu.program import group_size
from xlaport.verify.wire import encoded, message_of, numbers_of, rewritten

_ASSIGNMENT, _COMPUTATION, _INSTRUCTION = 15, 3, 2
_OP, _INDEX, _NUMBER, _OPERANDS, _CALLED = 2, 13, 35, 36, 38
_GROUPS, _DEVICES, _IDS = 49, 87, 1


@dataclass(frozen=True)
class Spread:
    """So many replicas of a program, each in so many partitions: a chip has one of these."""

    replicas: int = 1
    partitions: int = 1

    @property
    def chips(self) -> int:
        """How many chips that are."""
        return self.replicas * self.partitions


ONE = Spread()


def spread_of(dump: bytes, chip: Chip, replicas: int, name: str) -> Spread:
    """How a dumped graph, which errors call by its `name`, is spread over a slice, for a run of so many replicas.

    A program that is neither is on one chip of the slice. Raises `UserError` if its mesh is not that of the slice.
    """
    module = message_of(message_of(dump)[1][0])
    assigned = message_of(module[_ASSIGNMENT][0]) if _ASSIGNMENT in module else {}
    partitions = assigned.get(2, [1])[0]
    if partitions > 1 and partitions != chip.count:
        raise UserError(
            f"--tpu {chip.code}: {name} is for a mesh of {partitions} devices; ask for a slice of so many chips, "
            "or leave out CPU_NUM_DEVICES"
        )
    return Spread(1, partitions) if partitions > 1 or chip.count == 1 else Spread(replicas)


def devices_of(chips: Sequence[Chip], replicas: int) -> int:
    """How many devices a run has to have for these chips: one mesh, or one of so many replicas.

    Raises `UserError` where one run cannot be for all of them.
    """
    counts = {chip.count: chip for chip in chips}
    if len(counts) > 1:
        named = ", ".join(chip.code for chip in counts.values())
        raise UserError(f"--tpu {named}: a run is for one number of chips: ask for each size in a run of its own")
    count = max(counts, default=1)
    if count > 1 and replicas not in (1, count):
        raise UserError(f"--tpu {counts[count].code} has {count} chips, and --replicas plays {replicas}: play {count}")
    return count if replicas == 1 else 1


def as_on_chips(module: bytes, spread: Spread) -> bytes:
    """A module of a replica that was played (see `xlaport/verify/probe/playing.py`), as it is on a TPU: what stands
    there for an all-gather, a sum over replicas of so many copies of a value, becomes one.
    """
    if spread.replicas == 1:
        return module
    return rewritten(module, lambda number, value: _gathering(value, spread) if number == _COMPUTATION else None)


def _gathering(computation: bytes, spread: Spread) -> bytes | None:
    items = {item[_NUMBER][0]: item for item in map(message_of, message_of(computation).get(_INSTRUCTION, []))}
    gathers, sums = dict[int, bytes](), set[int]()
    for number, item in items.items():
        # torch_xla reduces a value together with its token, which is a scalar, and gets a tuple.
        met = numbers_of(item.get(_OPERANDS, []))
        if item[_OP][0] != b"all-reduce" or len(met) != 2:
            continue
        copied = _source(items, met[0])
        same = numbers_of(items[copied].get(_OPERANDS, []))
        size = group_size(item) or spread.replicas
        if items[copied][_OP][0] == b"concatenate" and len(same) == size and len(set(same)) == 1:
            sums.add(number)
            gathers[copied] = _groups(item, spread)

    def change(field: int, data: Any) -> bytes | None:
        own = message_of(data) if field == _INSTRUCTION else {}
        number = own[_NUMBER][0] if own else 0
        if number in gathers:
            operand = (_OPERANDS, numbers_of(own[_OPERANDS])[0])
            rest = rewritten(data, lambda at, _: b"" if at == _OPERANDS else None)
            return rest + encoded([operand, (_OP, b"all-gather")]) + gathers[number]
        if number in sums:
            rest = rewritten(data, lambda at, _: b"" if at == _CALLED else None)
            return rest + encoded([(_OP, b"tuple")])
        return None

    return rewritten(computation, change) if sums else None


def _source(items: Mapping[int, dict[int, list[Any]]], number: int) -> int:
    """What a value is, where it is taken out of a tuple."""
    item = items[number]
    if item[_OP][0] != b"get-tuple-element":
        return number
    whole = items[numbers_of(item[_OPERANDS])[0]]
    if whole[_OP][0] != b"tuple":
        return number
    index: int = item.get(_INDEX, [0])[0]
    return numbers_of(whole[_OPERANDS])[index]


def _groups(item: Mapping[int, list[Any]], spread: Spread) -> bytes:
    """The replicas that an operation joins, as fields of another one."""
    told = [(field, value) for field in (_GROUPS, _DEVICES) for value in item.get(field, []) if value]
    return encoded(told or [(_GROUPS, encoded((_IDS, number) for number in range(spread.replicas)))])
