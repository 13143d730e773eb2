"""Which lines the operations of a graph come from: torch_xla remembers them only while it is told to.

For each operation it then takes the whole Python stack, which is half as much work again as tracing itself (measured
on a small transformer, torch_xla 2.9; see `benchmarks/verify_overhead.py`). So it is told to while graphs are new,
and no longer once `_QUIET` graphs in a row were known; a graph that is compiled then gets its lines from the one
before it that is most like it, and those that follow their own. None of this changes a graph's hash.
"""

from __future__ import annotations

import difflib
import os
from dataclasses import replace
from typing import Any

from ..graphs import Graph, graph_of

_QUIET = 8
_LARGEST = 5000
"""Operations of a graph that are aligned with those of another one."""

_xlac: Any = None
_quiet = 0


def begin(xlac: Any) -> None:
    """Tell torch_xla to remember lines; it has just been imported."""
    global _xlac
    _xlac = xlac
    xlac._set_ir_debug(True)


def before_lowering() -> None:
    """A graph may be compiled now: its operations are named in the dump, whether it has lines or not."""
    if _xlac is not None:
        _xlac._set_ir_debug(True)


def after_lowering(compiles: int, executions: int) -> None:
    """So many graphs have been compiled and executed."""
    global _quiet
    if compiles:
        _quiet = 0
    elif executions:
        _quiet += executions
    if _xlac is not None:
        # Who asks torch_xla for lines by himself gets them.
        _xlac._set_ir_debug(_quiet < _QUIET or os.environ.get("XLA_IR_DEBUG", "0") != "0")


def with_lines(new: Graph, old: Graph) -> Graph:
    """A graph that was traced without lines, with those of an older one where the operations are the same."""
    if any(node.frames for node in new.nodes):
        return new
    before, after = ([(node.op, node.source_op) for node in graph.nodes] for graph in (old, new))
    nodes = list(new.nodes)
    if before == after:
        blocks = [(0, 0, len(after))]
    elif len(after) > _LARGEST:
        return new
    else:
        found = difflib.SequenceMatcher(None, before, after, autojunk=False).get_matching_blocks()
        blocks = [(block.a, block.b, block.size) for block in found]
    for start_old, start_new, size in blocks:
        for offset in range(size):
            nodes[start_new + offset] = replace(nodes[start_new + offset], frames=old.nodes[start_old + offset].frames)
    return graph_of(nodes, old.functions)
