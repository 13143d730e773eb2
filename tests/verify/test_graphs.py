"""Graphs as XLA dumps them, encoded here by hand, and what is said of the difference of two."""

from __future__ import annotations

import struct

import pytest

from xlaport.verify.graphs import Graph, Node, difference, nearest, read_graph

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


def says(old: Graph, new: Graph) -> str:
    return difference(old, new, is_user)


# --- what differs


def test_an_input_of_another_shape_and_where_it_was_made() -> None:
    old, new = graph(data("f32[32,128]")), graph(data("f32[17,128]", LIBRARY, USER))
    assert says(old, new) == "input 0: f32[32,128] became f32[17,128] at train.py:12"


def test_an_input_that_was_made_in_a_library_is_known_by_its_first_use() -> None:
    use = Node("dot", "aten__mm", "f32[4]", frames=(USER,), operands=(1,), number=2)
    old, new = graph(data("f32[32]"), use), graph(data("f32[17]"), use)
    assert says(old, new) == "input 0: f32[32] became f32[17], used by aten__mm at train.py:12"


def test_a_constant_is_named_before_the_shapes_that_follow_from_it() -> None:
    def step(value: str, size: int) -> Graph:
        return graph(
            Node("broadcast", "aten__expand", f"f32[{size}]", number=1),
            Node("constant", "prim__Constant", "f32[]", (value,), frames=(USER,), number=2),
        )

    assert says(step("1.1", 3), step("1.2", 4)) == "constant 1.1 became 1.2 at train.py:12"


def test_a_count_of_elements_is_named_after_the_line_that_made_them() -> None:
    def step(size: int) -> Graph:
        return graph(
            Node("constant", "aten__sum", "s32[]", (str(size),), number=1),
            Node("broadcast", "aten__expand", f"f32[{size}]", frames=(LIBRARY, USER), number=2),
        )

    assert says(step(3), step(4)) == "aten__expand: f32[3] became f32[4] at train.py:12"


def test_a_number_in_the_backward_pass_is_known_by_what_it_is_computed_on() -> None:
    def step(value: str) -> Graph:
        return graph(
            Node("abs", "aten__abs", "f32[4]", frames=(LIBRARY, USER), number=1),
            Node("constant", "prim__Constant", "f32[]", (value,), number=2),
            Node("broadcast", "aten__pow", "f32[4]", operands=(2,), number=3),
            Node("power", "aten__pow", "f32[4]", operands=(1, 3), number=4),
        )

    assert says(step("0.1"), step("0.2")) == ("constant 0.1 became 0.2, used by aten__pow on the result of train.py:12")


def test_the_bounds_of_a_slice() -> None:
    def step(end: int) -> Graph:
        return graph(Node("slice", "xla__select", "f32[1]", attributes=(0, end, 1), frames=(USER,)))

    assert says(step(1), step(2)) == "xla__select: bounds [0, 1, 1] became [0, 2, 1] at train.py:12"


def test_an_operation_that_is_new() -> None:
    add = Node("add", "aten__add", "f32[4]", frames=(USER,))
    old, new = graph(data("f32[4]")), graph(data("f32[4]"), add)
    assert says(old, new) == "1 operations became 2: aten__add at train.py:12 is new"
    assert says(new, old) == "2 operations became 1: aten__add at train.py:12 is gone"


def test_graphs_that_look_alike() -> None:
    assert "otherwise" in says(graph(data("f32[4]")), graph(data("f32[4]")))


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
