"""The graph that torch_xla traced, with what its operations are in numbers: the input of the compiler.

Numbers of fields from xla/service/hlo.proto. `graphs.Graph` is the same for people: shapes as text, the entry only.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from xlaport.tpu.labels import donors
from xlaport.tpu.program import Array, arrays_of
from xlaport.verify.graphs import Frame, Stacks
from xlaport.verify.wire import message_of, numbers_of

_KEPT = ("parameter", "custom-call", "infeed", "outfeed", "send", "recv", "send-done", "recv-done")
"""What is there though nothing uses it; torch_xla traces other such results, too, as the gradient of the data."""


@dataclass(frozen=True)
class Instruction:
    """One operation. `number` is the label of what a compiler makes of it. `frames`: innermost first, in the entry
    only; `fields`: all of its message, by number.
    """

    number: int
    op: str
    source_op: str
    arrays: tuple[Array, ...]
    operands: tuple[int, ...]
    called: tuple[int, ...]
    frames: tuple[Frame, ...] = ()
    fields: Mapping[int, list[Any]] = field(default_factory=dict, compare=False, repr=False)

    @property
    def bytes(self) -> int:
        """What it gives."""
        return sum(array.bytes for array in self.arrays)


@dataclass(frozen=True)
class Module:
    """A traced graph. `donors`: the arguments that hand their memory on; `functions`: those that lines are in."""

    entry: int
    computations: dict[int, tuple[Instruction, ...]]
    donors: frozenset[int]
    functions: dict[Frame, str]

    @cached_property
    def operations(self) -> dict[int, Instruction]:
        """All of all computations, by number."""
        return {each.number: each for computation in self.computations.values() for each in computation}

    @cached_property
    def users(self) -> dict[int, list[Instruction]]:
        """What uses the result of an operation, by its number."""
        found: dict[int, list[Instruction]] = {}
        for each in self.operations.values():
            for operand in dict.fromkeys(each.operands):
                found.setdefault(operand, []).append(each)
        return found

    def sources(self, each: Instruction) -> Iterator[Instruction]:
        """What an operation computes on."""
        return (self.operations[number] for number in each.operands if number in self.operations)

    def place_of(self, each: Instruction) -> int:
        """Which argument a parameter is."""
        return int(each.fields.get(9, [0])[0])

    @cached_property
    def outputs(self) -> tuple[Instruction, ...]:
        """What the program gives, each apart."""
        computation = self.computations[self.entry]
        root = computation[-1]
        return tuple(self.sources(root)) if root.op == "tuple" else (root,)


def read_module(dump: bytes) -> Module:
    """The module of a dump; `ValueError` if the bytes are none."""
    try:
        module = message_of(message_of(dump)[1][0])
        stacks = Stacks(module[17][0] if 17 in module else b"")
        computations, entry = {}, 0
        for item in map(message_of, module[3]):
            is_entry = item[1][0] == module[2][0]
            # What was traced elsewhere, such as the body of a loop, has the frames of another index.
            computations[item[5][0]] = _ordered(item, stacks if is_entry else None)
            entry = item[5][0] if is_entry else entry
        given = frozenset(donors(message_of(dump)[1][0]))
        return Module(entry, {**computations, entry: computations[entry]}, given, stacks.functions)
    except (LookupError, TypeError, UnicodeDecodeError) as error:
        raise ValueError(f"not an HLO dump: {error!r}") from error


def _ordered(item: Mapping[int, list[Any]], stacks: Stacks | None) -> tuple[Instruction, ...]:
    """The instructions of a computation that are needed, its root the last."""
    root = item.get(6, [0])[0]
    found = {each.number: each for each in (_instruction(data, stacks) for data in item.get(2, []))}
    level = [number for number, each in found.items() if number == root or each.op in _KEPT]
    needed = set(level)
    while level:
        following = set(found[level.pop()].operands) - needed
        needed |= following
        level.extend(following)
    return tuple(sorted((found[number] for number in found if number in needed), key=lambda each: each.number == root))


def _instruction(data: bytes, stacks: Stacks | None) -> Instruction:
    item = message_of(data)
    metadata = message_of(item[7][0]) if 7 in item else {}
    return Instruction(
        number=item.get(35, [0])[0],
        op=item[2][0].decode(),
        source_op=metadata.get(1, [b""])[0].decode(),
        arrays=arrays_of(item[3][0]),
        operands=tuple(numbers_of(item.get(36, []))),
        called=tuple(numbers_of(item.get(38, []))),
        frames=stacks.frames(metadata.get(15, [0])[0]) if stacks else (),
        fields=item,
    )
