"""What is said of the difference of two graphs."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from xlaport.verify.differences import (
    BOUNDS,
    LAST_BATCH,
    NUMBER,
    OPERATIONS,
    SHAPE,
    SPECIAL,
    Names,
    difference,
)
from xlaport.verify.graphs import Frame, Graph, Node

from .test_graphs import LIBRARY, USER, data, graph, is_user


class Program(Names):
    """A running program whose variables are known."""

    def __init__(self, tensors: dict[str, str], numbers: dict[float, str]) -> None:
        super().__init__(is_user)
        self.tensors, self.numbers = tensors, numbers

    def tensor(self, shape: str, lines: Sequence[Frame]) -> str | None:
        return self.tensors.get(shape)

    def number(self, value: float, lines: Sequence[Frame]) -> str | None:
        return self.numbers.get(value)

    def batch(self, before: str, after: str) -> str | None:
        return "the last batch" if (before, after) == ("f32[32,128]", "f32[17,128]") else None


def says(old: Graph, new: Graph) -> str:
    return difference(old, new, Names(is_user)).words


def kind(old: Graph, new: Graph) -> str:
    return difference(old, new, Names(is_user)).kind


# --- shapes


def test_an_input_of_another_shape_and_where_it_was_made() -> None:
    old, new = graph(data("f32[32,128]")), graph(data("f32[17,128]", LIBRARY, USER))
    assert says(old, new) == "input 0: f32[32,128] became f32[17,128] at train.py:12"
    assert kind(old, new) == SHAPE


def test_an_input_that_was_made_in_a_library_is_known_by_its_first_use() -> None:
    use = Node("dot", "aten__mm", "f32[4]", frames=(USER,), operands=(1,), number=2)
    old, new = graph(data("f32[32]"), use), graph(data("f32[17]"), use)
    assert says(old, new) == "input 0: f32[32] became f32[17], used by aten::mm at train.py:12"


def test_inputs_are_called_as_the_program_calls_them() -> None:
    program = Program({"f32[17,128]": "images", "s64[17]": "labels"}, {})
    old = graph(data("f32[32,128]"), data("s64[32]"), data("f32[5]"))
    new = graph(data("f32[17,128]", USER), data("s64[17]"), data("f32[5]"))
    found = difference(old, new, program)
    assert found.words == ("images: f32[32,128] became f32[17,128] at train.py:12, the last batch; labels too")
    assert (found.kind, found.who, found.before, found.after) == (LAST_BATCH, "images", "f32[32,128]", "f32[17,128]")


# --- numbers


def test_a_constant_is_named_before_the_shapes_that_follow_from_it() -> None:
    def step(value: str, size: int) -> Graph:
        return graph(
            Node("broadcast", "aten__expand", f"f32[{size}]", number=1),
            Node("constant", "prim__Constant", "f32[]", (value,), frames=(USER,), number=2),
        )

    assert says(step("1.1", 3), step("1.2", 4)) == "1.1 became 1.2: a Python number at train.py:12"
    assert kind(step("1.1", 3), step("1.2", 4)) == NUMBER


def test_a_number_is_called_as_the_program_calls_it() -> None:
    def step(value: str) -> Graph:
        return graph(Node("constant", "prim__Constant", "f32[]", (value,), frames=(USER,)))

    found = difference(step("2.0"), step("3.0"), Program({}, {3.0: "model.gamma"}))
    assert found.words == "2 became 3: model.gamma, a Python number at train.py:12"


def test_a_number_that_is_a_place() -> None:
    def step(value: str) -> Graph:
        return graph(
            Node("constant", "prim__Constant", "s64[]", (value,), frames=(USER,), number=1),
            Node("dynamic-update-slice", "xla__update_slice", "f32[4]", frames=(USER,), operands=(1,), number=2),
        )

    assert kind(step("3"), step("4")) == BOUNDS


def test_a_count_of_elements_is_named_after_the_line_that_made_them() -> None:
    def step(size: int) -> Graph:
        return graph(
            Node("constant", "aten__sum", "s32[]", (str(size),), number=1),
            Node("broadcast", "aten__expand", f"f32[{size}]", frames=(LIBRARY, USER), number=2),
        )

    assert says(step(3), step(4)) == "aten::expand: f32[3] became f32[4] at train.py:12"


def backward(value: str, op: str) -> Graph:
    return graph(
        Node("abs", "aten__abs", "f32[4]", frames=(LIBRARY, USER), number=1),
        Node("constant", "prim__Constant", "f32[]", (value,), number=2),
        Node("broadcast", op, "f32[4]", operands=(2,), number=3),
        Node("multiply", op, "f32[4]", operands=(1, 3), number=4),
    )


def test_a_number_in_the_backward_pass_is_known_by_what_it_is_computed_on() -> None:
    said = says(backward("0.1", "aten__mul"), backward("0.2", "aten__mul"))
    assert said == "0.1 became 0.2: a number in the graph, used by aten::mul on the result of train.py:12"


def test_an_exponent_is_told_as_it_was_written_and_not_as_it_is_in_the_gradient() -> None:
    said = says(backward("0.1", "aten__pow"), backward("0.2", "aten__pow"))
    assert said == "1.1 became 1.2: an exponent, a Python number at train.py:12"


@pytest.mark.parametrize("value", ["0", "1", "-1"])
def test_a_number_that_is_inlined_for_what_it_is(value: str) -> None:
    use = Node("multiply", "aten__mul", "f32[4]", number=3)
    usual = graph(data("f32[4]"), data("f32[]", number=2), use)
    inlined = graph(
        data("f32[4]"), Node("constant", "prim__Constant", "f32[]", (value,), frames=(USER,), number=2), use
    )
    said = f"{value} at train.py:12 (0, 1 and -1 are parts of a graph, others its inputs)"
    assert says(usual, inlined) == f"a Python number is {said}"
    assert says(inlined, usual) == f"a Python number is no longer {said}"
    assert kind(usual, inlined) == SPECIAL


def test_the_bounds_of_a_slice() -> None:
    def step(end: int) -> Graph:
        return graph(Node("slice", "xla__select", "f32[1]", attributes=(0, end, 1), frames=(USER,)))

    assert says(step(1), step(2)) == "xla::select: bounds [0, 1, 1] became [0, 2, 1] at train.py:12"


# --- operations


def test_an_operation_that_is_new() -> None:
    add = Node("add", "aten__add", "f32[4]", frames=(USER,))
    old, new = graph(data("f32[4]")), graph(data("f32[4]"), Node("constant", "", "f32[]", ("7",)), add)
    assert says(old, new) == "1 operations became 3: aten::add at train.py:12 is new"
    assert says(new, old) == "3 operations became 1: aten::add at train.py:12 is gone"
    assert kind(old, new) == OPERATIONS


def test_dropout_that_is_off_now() -> None:
    drawn = Node("rng", "aten__bernoulli", "f32[4]", frames=(USER,))
    train, evaluate = graph(data("f32[4]"), drawn), graph(data("f32[4]"))
    off = "2 operations became 1: no random mask is drawn (dropout is off) at train.py:12"
    assert says(train, evaluate) == off
    assert says(evaluate, train) == "1 operations became 2: a random mask is drawn (dropout is on) at train.py:12"


def test_graphs_that_look_alike() -> None:
    assert "aliased differently" in says(graph(data("f32[4]")), graph(data("f32[4]")))
