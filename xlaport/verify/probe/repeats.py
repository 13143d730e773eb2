"""Whether a graph holds the work of one line several times: the passes of a loop that has no barrier.

Each pass uses the same weights; the layers of a model, which a loop runs as well, have weights of their own.
"""

from __future__ import annotations

import ast
import functools
import gc
import linecache
import os
from collections import Counter

from ..events import Pending, Site
from ..graphs import Frame, Graph, read_module
from . import frames
from .session import Session

_CALLED = os.path.join("torch", "nn", "modules", "module.py")
"""The file that calls the forward() of a module: what a model does inside is no loop of steps."""
_LOOPS = (ast.For, ast.AsyncFor, ast.While, ast.ListComp, ast.GeneratorExp)
_NO_WORK = ("xla::_", "xla::empty")
"""The counters of operations that compute nothing, or their beginnings."""


def repeated(graph: Graph) -> tuple[int, Site | None]:
    """How often one line of a loop uses the same input of a graph, at most, and the line."""
    inputs = {node.number for node in graph.inputs if not node.shape.endswith("[]")}
    uses = Counter(
        (number, node.source_op, line)
        for node in graph.nodes
        if node.op != "tuple" and (line := _line(node.frames))
        for number in inputs.intersection(node.operands)
    )
    (_, _, line), count = next(iter(uses.most_common(1)), ((0, "", None), 0))
    return (count, frames.site_of(*line, graph.functions.get(line, ""))) if line else (0, None)


def _line(stack: tuple[Frame, ...]) -> Frame | None:
    """The innermost of the user's lines around all modules that is in a loop; `stack` begins with the innermost."""
    around = max((place for place, (path, _) in enumerate(stack) if path.endswith(_CALLED)), default=-1) + 1
    return next((line for line in stack[around:] if frames.is_user(line[0]) and line[1] in _in_loops(line[0])), None)


@functools.lru_cache(maxsize=64)
def _in_loops(path: str) -> frozenset[int]:
    try:
        tree = ast.parse("".join(linecache.getlines(path)))
    except (SyntaxError, ValueError):
        return frozenset()
    return frozenset(
        line
        for node in ast.walk(tree)
        if isinstance(node, _LOOPS)
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    )


def at_end(session: Session) -> None:
    """Tell of work that was noted down for the device in the whole run, of which nothing was ever run."""
    import _XLAC
    import torch

    if session.totals().executions:
        return
    names = [name for name in _XLAC._xla_counter_names() if name.startswith("xla::") and not name.startswith(_NO_WORK)]
    count = sum(_XLAC._xla_counter_value(name) or 0 for name in names)
    if not count:
        return
    tensors = [thing for thing in gc.get_objects() if type(thing) is torch.Tensor and thing.device.type == "xla"]
    waiting = [
        tensor
        for tensor, waits in zip(tensors, _XLAC._check_tensor_need_materialization(tensors), strict=True)
        if waits
    ]
    found = repeated(read_module(_XLAC._get_xla_tensors_hlo_proto(waiting))) if waiting else (0, None)
    session.emit(Pending(count, *found))
