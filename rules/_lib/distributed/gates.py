"""Questions whether there are enough GPUs: a program ends without them, and a TPU has as many chips as it has."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.module import FunctionNode, walk_block
from xlaport.rule import RemoveStatement

from ..device import counting
from ..removal import removal
from .part import Part

_EXITS = frozenset({"sys.exit", "builtins.exit", "builtins.quit", "os._exit"})
_DEEP = 4


def open_gates(part: Part) -> None:
    """Take out what ends the program where there are too few GPUs."""
    for gate in gates(part.context):
        part.edits.append(_removed(part.context, gate))


def gates(context: Context) -> Iterator[ast.stmt]:
    """``assert torch.cuda.device_count() >= 2``, ``if count < 2: print(…); sys.exit()``."""
    for node in context.module.of_type(ast.Assert, ast.If):
        may_end = isinstance(node, ast.Assert) or (not node.orelse and ends_program(context, node.body))
        if may_end and _asks_for_several(context, node.test):
            yield node


def _removed(context: Context, gate: ast.stmt) -> RemoveStatement:
    edit = removal(context, gate)
    return edit if isinstance(edit, RemoveStatement) else RemoveStatement(context.span(gate))


def ends_program(context: Context, block: list[ast.stmt]) -> bool:
    """Whether a block says something, and the program ends."""
    last = block[-1]
    leaves = isinstance(last, ast.Raise | ast.Return) or (
        isinstance(last, ast.Expr) and isinstance(last.value, ast.Call) and context.resolve(last.value.func) in _EXITS
    )
    return leaves and all(isinstance(s, ast.Expr | ast.Raise | ast.Return) for s in block)


def _asks_for_several(context: Context, test: ast.expr) -> bool:
    """Whether a test compares a count of GPUs with a number, itself or in a function of the project that it calls."""
    return rests_on_count(context, test) and any(_compares(context, node, 0) for node in ast.walk(test))


def _compares(context: Context, node: ast.AST, depth: int) -> bool:
    if isinstance(node, ast.Compare):
        return any(_is_count(context, side, depth) for side in (node.left, *node.comparators))
    called = _called(context, node) if depth < _DEEP else None
    if called is None:
        return False
    there, function = called
    return any(
        _compares(there, n, depth + 1)
        for n in walk_block(function.body)
        if isinstance(n, ast.Compare | ast.Call)
    )  # fmt: skip


def _is_count(context: Context, node: ast.expr, depth: int) -> bool:
    """A count of GPUs itself, and not what is computed from it: a batch has to be divided by it."""
    if counting.is_count(context, node):
        return True
    for inner in ast.iter_child_nodes(node):
        if isinstance(inner, ast.expr) and is_as_good(context, node, inner) and _is_count(context, inner, depth):
            return True
    if isinstance(node, ast.Name) and depth < _DEEP:
        values = [b.value for b in context.names.bindings(node)]
        return bool(values) and all(v is not None and _is_count(context, v, depth + 1) for v in values)
    return False


def is_as_good(context: Context, node: ast.expr, count: ast.expr) -> bool:
    """``count if torch.cuda.is_available() else 1``, ``count or 1``, ``max(count, 1)``"""
    if isinstance(node, ast.IfExp):
        return count is not node.test
    if isinstance(node, ast.Call):
        return context.resolve(node.func) == "builtins.max"
    return isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or)


def rests_on_count(context: Context, node: ast.expr) -> bool:
    """Whether a value is computed from a count of GPUs."""
    flow, own = context.flow, context.view.own
    inner = (part for part in ast.walk(node) if isinstance(part, ast.expr))
    spots = map(flow.spot, frozenset().union(*(flow.places(part, own) for part in inner)))
    return any(spot is not None and counting.is_count(context.of(spot.facts), spot.node) for spot in spots)


def _called(context: Context, node: ast.AST) -> tuple[Context, ast.FunctionDef] | None:
    """The function of the project that a call runs, where it is small enough to be no program of its own."""
    if not isinstance(node, ast.Call):
        return None
    called = context.flow.structure.run_by(context.view.own, node)
    if called is None or not isinstance(called.node, FunctionNode) or not isinstance(called.node, ast.FunctionDef):
        return None
    return context.of(called.facts), called.node
