"""Lines of operations that were traced without them come from the graph before."""

from __future__ import annotations

import pytest

from xlaport.verify.graphs import Frame, Node, graph_of
from xlaport.verify.probe import lines


def node(op: str, *frames: Frame, number: int = 0, shape: str = "f32[4]") -> Node:
    return Node(op, f"aten::{op}", shape, frames=frames, number=number)


OLD = graph_of([node("parameter", ("a.py", 1)), node("add", ("a.py", 2)), node("tanh", ("a.py", 3))])


def test_the_same_operations_have_the_same_lines() -> None:
    new = lines.with_lines(graph_of([node(op, shape="f32[8]") for op in ("parameter", "add", "tanh")]), OLD)
    assert [item.frames for item in new.nodes] == [item.frames for item in OLD.nodes]
    assert {item.shape for item in new.nodes} == {"f32[8]"}


def test_an_operation_that_is_new_has_none() -> None:
    new = lines.with_lines(graph_of([node(op) for op in ("parameter", "add", "power", "tanh")]), OLD)
    assert [item.frames for item in new.nodes] == [(("a.py", 1),), (("a.py", 2),), (), (("a.py", 3),)]


def test_a_graph_with_lines_keeps_its_own() -> None:
    own = graph_of([node("parameter", ("b.py", 9)), node("add")])
    assert lines.with_lines(own, OLD) is own


class Told:
    """What torch_xla was told."""

    def __init__(self) -> None:
        self.wanted = False

    def _set_ir_debug(self, wanted: bool) -> None:
        self.wanted = wanted


def test_lines_are_remembered_while_graphs_are_new(monkeypatch: pytest.MonkeyPatch) -> None:
    told = Told()
    monkeypatch.delenv("XLA_IR_DEBUG", raising=False)
    for name, value in (("_xlac", None), ("_quiet", 0)):
        monkeypatch.setattr(lines, name, value)
    lines.begin(told)
    seen = [told.wanted]
    for compiles in (1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0):
        lines.before_lowering()
        assert told.wanted  # the operations of what is compiled are named in any case
        lines.after_lowering(compiles, 1)
        seen.append(told.wanted)
    assert seen == [True] * 9 + [False] * 2 + [True] * 2
    monkeypatch.setenv("XLA_IR_DEBUG", "1")
    for _ in range(20):
        lines.after_lowering(0, 1)
    assert told.wanted
