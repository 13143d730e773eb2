"""A graph as one line of text, and what tells it from another: for graphs that are compared across processes.

Used in the child, too: the standard library only.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable

from .graphs import Frame, Graph, Node, graph_of

_MEETING = ("all-reduce", "all-gather", "all-to-all", "reduce-scatter", "collective-permute", "collective-broadcast")
"""XLA's operations in which replicas wait for each other, or the beginnings of their names (``all-reduce-start``)."""
_LARGEST = 20_000
"""Operations that are written out, at most."""


def collectives(graph: Graph) -> tuple[str, ...]:
    """The operations in which replicas meet, in order."""
    return tuple(f"{node.op} {node.shape}" for node in graph.nodes if node.op.startswith(_MEETING))


def digest(graph: Graph) -> str:
    """The same for two graphs of the same operations, on the same shapes and numbers.

    Where a replica's part is put into a padded whole is left out (`read_graph` does not read it): torch_xla's own
    all_gather pads by the ordinal, and the replicas' graphs meet all the same.
    """
    places = {node.number: place for place, node in enumerate(graph.nodes)}
    rows = [
        [node.op, node.shape, node.literal, node.attributes, [places.get(number, -1) for number in node.operands]]
        for node in graph.nodes
    ]
    return hashlib.sha256(json.dumps(rows).encode()).hexdigest()[:16]


def to_text(graph: Graph, is_user: Callable[[str], bool]) -> str:
    """The graph, with the user's innermost frame of each operation; empty for a very large one."""
    if len(graph.nodes) > _LARGEST:
        return ""
    return json.dumps([_row(node, is_user) for node in graph.nodes], separators=(",", ":"))


def _row(node: Node, is_user: Callable[[str], bool]) -> list[object]:
    frame = next((frame for frame in node.frames if is_user(frame[0])), None)
    return [
        node.op,
        node.source_op,
        node.shape,
        node.literal,
        node.attributes,
        [frame] if frame else [],
        node.operands,
        node.number,
    ]


def from_text(text: str) -> Graph:
    """The graph that was written out; `ValueError` if the text is none."""
    try:
        nodes = [
            Node(op, source, shape, tuple(literal), tuple(attributes), _frames(frames), tuple(operands), number)
            for op, source, shape, literal, attributes, frames, operands, number in json.loads(text)
        ]
    except (TypeError, ValueError) as error:
        raise ValueError(f"not a graph: {error}") from error
    return graph_of(nodes)


def place_apart(old: Graph, new: Graph) -> Frame | None:
    """The user's line of what one graph has and the other has not: inputs and numbers first, for they are the cause."""
    for graph, other in ((new, old), (old, new)):
        there = {_does(node) for node in other.nodes}
        odd = [node for node in graph.nodes if node.frames and _does(node) not in there]
        if odd:
            return min(odd, key=lambda node: node.op not in ("parameter", "constant")).frames[0]
    return None


def _does(node: Node) -> tuple[object, ...]:
    return node.op, node.shape, node.literal, node.attributes, node.frames[:1]


def _frames(frames: list[list[object]]) -> tuple[tuple[str, int], ...]:
    return tuple((str(path), int(str(line))) for path, line in frames)
