"""What a compiler of TPUs made of a graph: its operations, and its plan of the memory, read from the compiler's dump.

Numbers of fields from xla/service/hlo.proto and xla/xla_data.proto.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from xlaport.verify.wire import message_of, numbers_of

_BITS = {
    1: 8, 2: 8, 3: 16, 4: 32, 5: 64, 6: 8, 7: 16, 8: 32, 9: 64, 10: 16, 11: 32, 12: 64, 15: 64, 16: 16, 18: 128,
    19: 8, 20: 8, 21: 4, 22: 4,
}  # fmt: skip
_NAMES = {
    1: "pred", 2: "s8", 3: "s16", 4: "s32", 5: "s64", 6: "u8", 7: "u16", 8: "u32", 9: "u64", 10: "f16", 11: "f32",
    12: "f64", 15: "c64", 16: "bf16", 18: "c128", 19: "f8e5m2", 20: "f8e4m3fn", 21: "s4", 22: "u4",
}  # fmt: skip
_TUPLE = 13
HBM = 0
"""The memory space of the chip's large memory; the others are on the chip itself."""


@dataclass(frozen=True)
class Array:
    """One array: XLA's name of its elements' type, its sizes, and the memory that it is in. `order`: its dimensions as
    they lie there, the innermost first; `tile`: what the innermost are filled up to multiples of, the outer one first.
    """

    kind: str
    bits: int
    sizes: tuple[int, ...]
    space: int = HBM
    order: tuple[int, ...] = ()
    tile: tuple[int, ...] = ()

    @property
    def elements(self) -> int:
        """How many there are."""
        return math.prod(self.sizes)

    @property
    def bytes(self) -> int:
        """What they take, without padding."""
        return (self.elements * self.bits + 7) // 8

    @property
    def room(self) -> int:
        """What they take in bytes with their padding."""
        filled = list(self.sizes)
        for dimension, unit in zip(self.order, reversed(self.tile), strict=False):
            filled[dimension] = -(-filled[dimension] // unit) * unit
        return (math.prod(filled) * self.bits + 7) // 8

    def __str__(self) -> str:
        return f"{self.kind}[{','.join(map(str, self.sizes))}]"


@dataclass(frozen=True)
class Operation:
    """One instruction. `arrays`: what it gives, flat. `label`: the number of the operation of the graph that it comes
    from (see `labels`). `cycles`: the compiler's own estimate, 0 where it has none. `parameter`: which of the arguments
    of its computation it is. `called`: the computations that it runs.
    """

    number: int
    name: str
    op: str
    arrays: tuple[Array, ...]
    operands: tuple[int, ...]
    called: tuple[int, ...]
    label: int | None
    cycles: int
    parameter: int
    trips: int
    """How often a loop runs, where the compiler knows; 1 for all else."""
    group: int = 0
    """How many chips a collective joins; 0 for all of them, and for all else."""


@dataclass(frozen=True)
class Buffer:
    """A value within an allocation: `size` in bytes, from `offset` on; the operation that makes it."""

    number: int
    size: int
    offset: int
    operation: int


@dataclass(frozen=True)
class Allocation:
    """A piece of memory. `parameter`: which argument lies there, if one does. `lives_on`: behind the program's end."""

    number: int
    size: int
    space: int
    parameter: int | None
    lives_on: bool
    is_constant: bool
    is_local: bool
    buffers: tuple[Buffer, ...]


@dataclass(frozen=True)
class Program:
    """A compiled module: the operations of each computation in their order, by the computation's number."""

    entry: int
    computations: dict[int, tuple[Operation, ...]]
    allocations: tuple[Allocation, ...]
    lives: dict[int, tuple[tuple[int, bool], ...]]
    """By the number of an allocation: which buffer begins (true) or ends, in the order of the program."""

    @property
    def operations(self) -> dict[int, Operation]:
        """All operations by number."""
        return {each.number: each for computation in self.computations.values() for each in computation}


def read_program(dump: bytes) -> Program:
    """The program of a compiler's dump; `ValueError` if the bytes are not one."""
    try:
        whole = message_of(dump)
        module = message_of(whole[1][0])
        computations = dict(map(_computation, map(message_of, module[3])))
        entry = module.get(6, [0])[0]
        plan = message_of(whole[3][0]) if 3 in whole else {}
        return Program(entry, computations, _allocations(plan), dict(map(_lives, plan.get(4, []))))
    except (LookupError, TypeError, UnicodeDecodeError) as error:
        raise ValueError(f"not the dump of a compiled program: {error!r}") from error


def arrays_of(shape: bytes) -> tuple[Array, ...]:
    """The arrays of a shape, those of a tuple one behind the other."""
    message = message_of(shape)
    kind = message.get(2, [0])[0]
    if kind == _TUPLE:
        return tuple(array for item in message.get(4, []) for array in arrays_of(item))
    if kind not in _BITS:  # a token, or an opaque thing
        return ()
    layout = message_of(message[5][0]) if 5 in message else {}
    space = numbers_of(layout.get(8, [0]))[0] if layout else HBM
    order = tuple(numbers_of(layout.get(1, [])))
    tile = tuple(numbers_of(message_of(layout[6][0]).get(1, []))) if 6 in layout else ()
    return (Array(_NAMES[kind], _BITS[kind], tuple(numbers_of(message.get(3, []))), space, order, tile),)


def _computation(data: dict[int, list[Any]]) -> tuple[int, tuple[Operation, ...]]:
    return data[5][0], tuple(map(_operation, data.get(2, [])))


def _operation(data: bytes) -> Operation:
    item = message_of(data)
    metadata = message_of(item[7][0]) if 7 in item else {}
    label = metadata.get(2, [b""])[0].decode().rpartition("/")[2]  # before it, those of what called it
    config = item.get(43, [b""])[0]
    return Operation(
        number=item.get(35, [0])[0],
        name=item[1][0].decode(),
        op=item[2][0].decode(),
        arrays=arrays_of(item[3][0]),
        operands=tuple(numbers_of(item.get(36, []))),
        called=tuple(numbers_of(item.get(38, []))),
        label=int(label) if label.isdigit() else None,
        cycles=_cycles(config),
        parameter=item.get(9, [0])[0],
        trips=_trips(config),
        group=group_size(item),
    )


def group_size(item: Mapping[int, list[Any]]) -> int:
    """How many replicas or partitions a collective joins, from its message; 0 for all of them."""
    devices = message_of(item[87][0]) if 87 in item else {}
    if 2 in devices:  # groups that are counted, not listed
        return int(message_of(devices[2][0]).get(2, [0])[0])
    listed = item.get(49) or devices.get(1) or [b""]
    return len(numbers_of(message_of(listed[0]).get(1, [])))


def _config(data: bytes) -> dict[str, Any]:
    try:
        found = json.loads(data) if data.startswith(b"{") else {}
    except ValueError:
        found = {}
    return found if isinstance(found, dict) else {}


def _cycles(config: bytes) -> int:
    if b"estimated_cycles" not in config:
        return 0
    window = _config(config).get("window_config", {})
    return max(0, int(window.get("estimated_cycles", 0)))


def _trips(config: bytes) -> int:
    if b"known_trip_count" not in config:
        return 1
    return int(_config(config).get("known_trip_count", {}).get("n", 1))


def _allocations(plan: dict[int, list[Any]]) -> tuple[Allocation, ...]:
    makers = dict(map(_buffer, plan.get(1, [])))
    return tuple(_allocation(message_of(item), makers) for item in plan.get(3, []))


def _buffer(data: bytes) -> tuple[int, int]:
    item = message_of(data)
    defined = message_of(item[3][0]) if 3 in item else {}
    return item.get(1, [0])[0], defined.get(4, [0])[0]


def _allocation(item: dict[int, list[Any]], makers: dict[int, int]) -> Allocation:
    def flag(number: int) -> bool:
        return bool(item.get(number, [0])[0])

    return Allocation(
        number=item.get(1, [0])[0],
        size=item.get(2, [0])[0],
        space=item.get(8, [0])[0],
        parameter=item.get(6, [0])[0] if flag(5) else None,
        lives_on=flag(7),
        is_constant=flag(12),
        is_local=flag(3),
        buffers=tuple(_assigned(message_of(part), makers) for part in item.get(9, [])),
    )


def _assigned(part: dict[int, list[Any]], makers: dict[int, int]) -> Buffer:
    number = part.get(1, [0])[0]
    return Buffer(number, part.get(3, [0])[0], part.get(2, [0])[0], makers.get(number, 0))


def _lives(data: bytes) -> tuple[int, tuple[tuple[int, bool], ...]]:
    """ALLOC is 0, FREE 1, and SHARE_WITH 2: what shares begins nothing."""
    item = message_of(data)
    events: Iterable[dict[int, list[Any]]] = map(message_of, item.get(1, []))
    told = tuple((event.get(2, [0])[0], event.get(1, [0])[0] == 0) for event in events if event.get(1, [0])[0] != 2)
    return item.get(3, [0])[0], told


def entry_of(program: Program) -> Sequence[Operation]:
    """The operations of the program itself."""
    return program.computations[program.entry]
