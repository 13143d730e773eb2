"""The two sides of a graph's difference, as rows."""

from __future__ import annotations

from xlaport.verify.events import Change, Counts, Point, decode, encode
from xlaport.verify.graphs import Node
from xlaport.verify.probe.changes import MOST, changes

from .test_graphs import LIBRARY, USER, data, graph, is_user

PATH, LINE = USER


def add(shape: str, number: int, op: str = "aten__add") -> Node:
    return Node("add", op, shape, frames=(LIBRARY, USER), number=number)


def test_inputs_come_first_then_constants_then_what_follows_from_them() -> None:
    def step(size: int) -> tuple[Node, ...]:
        constant = Node("constant", "prim__Constant", "s32[]", (str(size),), number=2)
        return add(f"f32[{size}]", 3), constant, data(f"f32[{size}]", USER)

    assert changes(graph(*step(8)), graph(*step(9)), is_user) == (
        Change("input f32[8]", "input f32[9]", PATH, LINE),
        Change("constant s32[] = 8", "constant s32[] = 9"),
        Change("aten__add f32[8]", "aten__add f32[9]", PATH, LINE),
    )


def test_what_came_and_went_between_operations_that_stayed() -> None:
    old = graph(add("f32[4]", 1), add("f32[4]", 2, "aten__bernoulli"), add("f32[4]", 3, "aten__mul"))
    new = graph(add("f32[4]", 1), add("f32[4]", 3, "aten__mul"), add("f32[4]", 4, "aten__sum"))
    assert changes(old, new, is_user) == (
        Change("aten__bernoulli f32[4]", "", PATH, LINE),
        Change("", "aten__sum f32[4]", PATH, LINE),
    )


def test_bounds_are_shown_where_they_are_what_differs() -> None:
    old, new = (graph(Node("slice", "aten__slice", "f32[4]", attributes=(start, start + 4))) for start in (0, 1))
    assert changes(old, new, is_user) == (
        Change("aten__slice f32[4] bounds [0, 4]", "aten__slice f32[4] bounds [1, 5]"),
    )


def test_the_same_row_is_said_once_and_there_is_an_end_to_them() -> None:
    old, new = (graph(*(add(f"f32[{size}]", n) for n in range(500))) for size in (8, 9))
    assert len(changes(old, new, is_user)) == 1
    old, new = (graph(*(add(f"f32[{n},{size}]", n) for n in range(500))) for size in (8, 9))
    assert len(changes(old, new, is_user)) == MOST


def test_large_graphs_that_differ_everywhere_are_not_aligned_as_a_whole() -> None:
    old, new = (graph(*(add("f32[4]", n, f"aten__{kind}{n}") for n in range(20_000))) for kind in "ab")
    assert len(changes(old, new, is_user)) == MOST


def test_the_same_graph_has_no_changes() -> None:
    assert changes(graph(add("f32[4]", 1)), graph(add("f32[4]", 1)), is_user) == ()


def test_changes_survive_the_recording() -> None:
    point = Point("sync", None, Counts(1), None, "why", changes=(Change("a", "b", PATH, LINE),), seconds=1.5)
    assert decode(encode(point)) == point
