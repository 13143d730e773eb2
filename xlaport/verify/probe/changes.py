"""What differs between two graphs, side by side: the rows that a report unfolds below the reason of a compile."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator, Sequence

from ..events import Change
from ..graphs import Graph, Node

MOST = 24
"""Rows that are kept of one pair of graphs: where a shape is new, nearly every operation of the step has another."""
_LONGEST = 1500
"""Operations in a row that are aligned, at most: the time it takes grows with their square."""


def changes(old: Graph, new: Graph, is_user: Callable[[str], bool]) -> tuple[Change, ...]:
    """The operations that differ, inputs and constants first, for they are the cause of the others.

    Rows that say the same of the same line are one; there are at most `MOST`.
    """
    rows = dict.fromkeys(_row(before, after, is_user) for before, after in _pairs(old, new))
    return tuple(list(rows)[:MOST])


def _pairs(old: Graph, new: Graph) -> Iterator[tuple[Node | None, Node | None]]:
    if _names(old.nodes) == _names(new.nodes):
        pairs = [(a, b) for a, b in zip(old.nodes, new.nodes, strict=True) if _text(a) != _text(b) or _moved(a, b)]
        yield from sorted(pairs, key=lambda pair: {"parameter": 0, "constant": 1}.get(pair[1].op, 2))
    else:
        # Inputs have their order by their use: the same ones in another order are no difference.
        inputs = [pair for pair in zip(old.inputs, new.inputs, strict=False) if pair[0].shape != pair[1].shape]
        yield from inputs if len(old.inputs) == len(new.inputs) else ()
        yield from _aligned(
            [node for node in old.nodes if node.op != "parameter"],
            [node for node in new.nodes if node.op != "parameter"],
        )


def _aligned(old: Sequence[Node], new: Sequence[Node]) -> Iterator[tuple[Node | None, Node | None]]:
    """What came and went between two lists of operations."""
    before, after = _names(old), _names(new)
    start = 0
    while start < min(len(before), len(after)) and before[start] == after[start]:
        start += 1
    end = 0
    while end < min(len(before), len(after)) - start and before[-1 - end] == after[-1 - end]:
        end += 1
    before, after = before[start : len(before) - end][:_LONGEST], after[start : len(after) - end][:_LONGEST]
    for tag, a, b, c, d in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag != "equal":
            yield from ((node, None) for node in old[start + a : start + b])
            yield from ((None, node) for node in new[start + c : start + d])


def _names(nodes: Sequence[Node]) -> list[tuple[str, str]]:
    return [(node.op, node.source_op) for node in nodes]


def _moved(a: Node, b: Node) -> bool:
    return (a.literal, a.attributes) != (b.literal, b.attributes)


def _row(before: Node | None, after: Node | None, is_user: Callable[[str], bool]) -> Change:
    node = after or before
    assert node is not None
    frame = next((frame for frame in node.frames if is_user(frame[0])), None)
    bounds = bool(before and after and before.attributes != after.attributes)
    return Change(
        _text(before, bounds) if before else "",
        _text(after, bounds) if after else "",
        frame[0] if frame else None,
        frame[1] if frame else None,
    )


def _text(node: Node, bounds: bool = False) -> str:
    name = {"parameter": "input", "constant": "constant"}.get(node.op, node.source_op or node.op)
    value = f" = {', '.join(node.literal)}" if node.literal else ""
    return f"{name} {node.shape}{value}" + (f" bounds {list(node.attributes)}" if bounds else "")
