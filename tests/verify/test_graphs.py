"""Graphs as XLA dumps them, encoded here by hand."""

from __future__ import annotations

import struct

import pytest

from xlaport.verify.graphs import Graph, Node, nearest, read_graph

USER = ("/project/train.py", 12)
LIBRARY = ("/venv/site-packages/torch/nn/modules/linear.py", 134)


def is_user(path: str) -> bool:
    return path.startswith("/project")


def graph(*nodes: Node) -> Graph:
    users: dict[int, Node] = {}
    for node in nodes:
        for operand in node.operands:
            users.setdefault(operand, node)
    return Graph(nodes, users)


def data(shape: str, *frames: tuple[str, int], number: int = 1) -> Node:
    return Node("parameter", "xla__device_data", shape, frames=frames, number=number)


def test_a_graph_is_compared_with_the_one_most_like_it() -> None:
    train = graph(data("f32[4]"), Node("add", "aten__add", "f32[4]"))
    evaluate = graph(data("f32[4]"))
    assert nearest([train, evaluate], graph(data("f32[3]"), Node("add", "aten__add", "f32[3]"))) is train
    assert nearest([train, evaluate], graph(data("f32[3]"))) is evaluate


# --- the format


def varint(value: int) -> bytes:
    value %= 1 << 64
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])


def part(number: int, value: int | bytes | str) -> bytes:
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    raw = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(raw)) + raw


def shape(kind: int, *sizes: int) -> bytes:
    return part(2, kind) + part(3, b"".join(varint(size) for size in sizes))


def module(*instructions: bytes) -> bytes:
    computation = part(1, "main") + b"".join(part(2, item) for item in instructions)
    stack = part(1, "/project/train.py") + part(2, "main")
    stack += part(3, part(1, 1) + part(2, 1) + part(3, 12)) + part(4, part(1, 1))
    return part(1, part(2, "main") + part(3, part(1, "other")) + part(3, computation) + part(17, stack))


def test_the_fields_that_matter_are_read() -> None:
    parameter = part(1, "p0") + part(2, "parameter") + part(3, shape(11, 32, 128)) + part(35, 7)
    floats = part(2, "constant") + part(3, shape(11)) + part(8, part(8, struct.pack("<f", 1.5)))
    integers = part(2, "constant") + part(3, shape(5)) + part(8, part(5, varint(-3)))
    slices = part(17, part(1, 2) + part(2, 9) + part(3, 1))
    sliced = part(2, "slice") + part(3, shape(16, 7)) + slices + part(36, varint(7)) + part(35, 9)
    sliced += part(7, part(1, "xla__select") + part(15, 1))
    result = part(2, "tuple") + part(3, part(2, 13) + part(4, shape(1)) + part(4, shape(5, 2)))
    read = read_graph(module(parameter, floats, integers, sliced, result))
    assert [node.op for node in read.nodes] == ["parameter", "constant", "constant", "slice", "tuple"]
    assert [node.shape for node in read.nodes] == ["f32[32,128]", "f32[]", "s64[]", "bf16[7]", "(pred[], s64[2])"]
    assert read.nodes[1].literal == ("1.5",)
    assert read.nodes[2].literal == ("-3",)
    assert (read.nodes[3].attributes, read.nodes[3].source_op) == ((2, 9, 1), "xla__select")
    assert read.nodes[3].frames == (("/project/train.py", 12),)
    assert read.users[7] is read.nodes[3]
    assert read.inputs == [read.nodes[0]]


@pytest.mark.parametrize("raw", [b"", b"\x08", b"junk that is no protobuf", part(1, b""), b"\xff" * 20])
def test_what_is_no_module_is_a_value_error(raw: bytes) -> None:
    with pytest.raises(ValueError, match=r"HLO|wire"):
        read_graph(raw)


@pytest.mark.parametrize(("op", "is_plain"), [("compare", True), ("reduce", True), ("dot", False), ("while", False)])
def test_what_multiplies_nothing_is_no_graph_of_a_model(op: str, is_plain: bool) -> None:
    assert graph(Node("parameter", "", "f32[8]"), Node(op, "", "f32[8]")).is_plain is is_plain
