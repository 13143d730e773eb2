"""Reads the graphs that XLA dumps, and finds the one of some that is most like another.

A dump is an ``HloModuleProto`` within an ``HloProto``. Its wire format is read here directly, the dozen fields
that matter (numbers from xla/service/hlo.proto), so that neither protobuf nor TensorFlow is needed. Used in the
child: standard library only.
"""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from .wire import message_of, numbers_of

_TYPES = {
    1: "pred", 2: "s8", 3: "s16", 4: "s32", 5: "s64", 6: "u8", 7: "u16", 8: "u32", 9: "u64", 10: "f16",
    11: "f32", 12: "f64", 15: "c64", 16: "bf16", 18: "c128",
}  # fmt: skip
_TUPLE = 13
_OF_MODELS = frozenset({"dot", "convolution", "custom-call", "while", "call", "conditional"})
"""What makes a graph one of a model, or may: what a kernel does, or a loop on the device, is not looked at."""
_SHOWN = 4
"""Values of a constant that are compared and shown."""

DUMP = ".before_optimizations.hlo.pb"
"""How the name of a dump ends. XLA writes it when it begins to compile the graph."""
LARGEST_DUMP = 20_000_000
"""Bytes of a dump that are read, at most: reading takes about a second for each 10 MB (measured)."""

Frame = tuple[str, int]
"""A place in a source file: path and line."""
COMPREHENSIONS = ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>")
"""Functions of their own up to Python 3.11, which their author never wrote."""


@dataclass(frozen=True)
class Node:
    """One instruction. `op` is XLA's, `source_op` the PyTorch op that it comes from; `frames` innermost first."""

    op: str
    source_op: str
    shape: str
    literal: tuple[str, ...] = ()
    attributes: tuple[int, ...] = ()
    frames: tuple[Frame, ...] = ()
    operands: tuple[int, ...] = ()
    number: int = 0


@dataclass(frozen=True)
class Graph:
    """The entry computation of a module, its instructions in order."""

    nodes: tuple[Node, ...] = ()
    users: dict[int, Node] = field(default_factory=dict)
    """The first user of an instruction, by the number of what it uses."""
    functions: dict[Frame, str] = field(default_factory=dict)
    """The functions that lines are in, where that is known."""

    @property
    def inputs(self) -> list[Node]:
        """The parameters, in order."""
        return [node for node in self.nodes if node.op == "parameter"]

    @property
    def is_plain(self) -> bool:
        """Whether it multiplies no matrices and convolves nothing, as no model does."""
        return not any(node.op in _OF_MODELS for node in self.nodes)


def read_graph(data: bytes) -> Graph:
    """The graph of a dump; `ValueError` if the bytes are not one."""
    try:
        return read_module(message_of(data)[1][0])
    except (LookupError, TypeError) as error:
        raise ValueError(f"not an HLO dump: {error!r}") from error


def read_module(data: bytes) -> Graph:
    """The graph of an HLO module; `ValueError` if the bytes are not one."""
    try:
        module = message_of(data)
        entry = module[2][0]
        stacks = Stacks(module[17][0] if 17 in module else b"")
        computation = next(c for c in map(message_of, module[3]) if c[1][0] == entry)
        nodes = tuple(_node(item, stacks) for item in computation[2])
    except (LookupError, StopIteration, struct.error, UnicodeDecodeError, TypeError) as error:
        raise ValueError(f"not an HLO module: {error!r}") from error
    return graph_of(nodes, stacks.functions)


def graph_of(nodes: Sequence[Node], functions: dict[Frame, str] | None = None) -> Graph:
    """The graph of these instructions, in their order."""
    users: dict[int, Node] = {}
    for node in nodes:
        for operand in node.operands:
            users.setdefault(operand, node)
    return Graph(tuple(nodes), users, functions or {})


def nearest(graphs: Sequence[Graph], new: Graph) -> Graph:
    """The one of some earlier graphs that the new one most likely wanted to be."""
    ops = [(node.op, node.source_op) for node in new.nodes]

    def distance(old: Graph) -> tuple[int, int]:
        old_ops = [(node.op, node.source_op) for node in old.nodes]
        if old_ops == ops:
            return 0, sum(not same(a, b) for a, b in zip(old.nodes, new.nodes, strict=True))
        before, after = Counter(old_ops), Counter(ops)
        return 1, sum(((before - after) + (after - before)).values())

    return min(reversed(graphs), key=distance)


def same(a: Node, b: Node) -> bool:
    """Whether two instructions that stand at the same place of two graphs do the same."""
    return (a.shape, a.literal, a.attributes) == (b.shape, b.literal, b.attributes)


class Stacks:
    """The Python frames of instructions: an index of files, places and frames that link to their callers."""

    def __init__(self, data: bytes) -> None:
        index = message_of(data)
        self._files = [name.decode() for name in index.get(1, [])]
        self._names = [name.decode() for name in index.get(2, [])]
        self._places = [message_of(item) for item in index.get(3, [])]
        self._frames = [message_of(item) for item in index.get(4, [])]
        self.functions: dict[Frame, str] = {}

    def frames(self, number: int) -> tuple[Frame, ...]:
        """Those of a place in the index, the innermost first."""
        found: list[Frame] = []
        while number:
            frame = self._frames[number - 1]
            place = self._places[frame[1][0] - 1]
            found.append((self._files[place[1][0] - 1], place[3][0]))
            function = self._names[place[2][0] - 1] if 2 in place else ""
            # A comprehension is a function of its own up to Python 3.11: its line is in the one around it.
            inner = [line for line in found if line not in self.functions and line[0] == found[-1][0]]
            if function and (function not in COMPREHENSIONS or 2 not in frame):
                self.functions.update(dict.fromkeys(inner, function))
            number = frame.get(2, [0])[0]
        return tuple(found)


def _node(data: bytes, stacks: Stacks) -> Node:
    item = message_of(data)
    metadata = message_of(item[7][0]) if 7 in item else {}
    slices = [
        number for part in item.get(17, []) for values in message_of(part).values() for number in numbers_of(values)
    ]
    return Node(
        op=item[2][0].decode(),
        source_op=metadata.get(1, [b""])[0].decode(),
        shape=_shape(item[3][0]),
        literal=_literal(item[8][0]) if 8 in item else (),
        attributes=(*numbers_of(item.get(14, [])), *slices),
        frames=stacks.frames(metadata.get(15, [0])[0]),
        operands=tuple(numbers_of(item.get(36, []))),
        number=item.get(35, [0])[0],
    )


def _shape(data: bytes) -> str:
    message = message_of(data)
    kind = message.get(2, [0])[0]
    if kind == _TUPLE:
        return "(" + ", ".join(_shape(item) for item in message.get(4, [])) + ")"
    return f"{_TYPES.get(kind, kind)}[{','.join(map(str, numbers_of(message.get(3, []))))}]"


def _literal(data: bytes) -> tuple[str, ...]:
    """The first values of a constant as text, for a nan is not equal to itself."""
    message = message_of(data)
    for number, code, size in ((8, "f", 4), (9, "d", 8)):
        if number in message:
            raw = b"".join(message[number])[: size * _SHOWN]
            return tuple(map(repr, struct.unpack(f"<{len(raw) // size}{code}", raw)))
    for number in (2, 4, 5, 6, 7):
        if number in message:
            values = message[number]
            plain = list(b"".join(values)) if number == 2 else numbers_of(values)
            return tuple(map(repr, plain[:_SHOWN]))
    return ()
