"""Selected values that are indices: they may be out of range outside of their mask, if all places are computed with."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context

from .operation import called

_KEEPING = frozenset("to float half double long int bool clone detach contiguous squeeze cuda".split())
"""Methods that keep the order of what is selected, and how many there are."""
_MAX_DEPTH = 4
_BY_INDEX = frozenset("index_select gather take take_along_dim embedding one_hot torch.nn.Embedding".split())


def index_of(context: Context, selected: ast.expr) -> ast.expr | None:
    """The index that a selection, or a name for it, is a part of: ``ids[mask] - 1`` of ``table[ids[mask] - 1]``."""
    return next((found for use in _uses(context, selected) if (found := _index(context, use)) is not None), None)


def _uses(context: Context, selected: ast.expr, depth: int = 0) -> Iterator[ast.expr]:
    """The expressions that stand for a selection: its own, and names that are bound to it."""
    node = selected
    while True:
        method = context.module.parents[node]
        call = context.module.parents.get(method)
        if not isinstance(method, ast.Attribute) or method.attr not in _KEEPING or not isinstance(call, ast.Call):
            break
        node = call
    parent = context.module.parents[node]
    target = parent.targets[0] if isinstance(parent, ast.Assign) and parent.value is node else None
    if not isinstance(target, ast.Name):
        yield node
        return
    for use in context.names.uses_of(target) if depth < _MAX_DEPTH else ():
        yield from _uses(context, use, depth + 1)


def _index(context: Context, use: ast.expr) -> ast.expr | None:
    """What is read by: ``table[i]``, ``table[0, i]``, ``table.index_select(0, i)``, ``embedding(i)``."""
    child: ast.AST = use
    whole = use
    for parent in context.module.ancestors(use):
        if isinstance(parent, ast.Subscript):
            return whole if parent.slice is child and isinstance(parent.ctx, ast.Load) else None
        if isinstance(parent, ast.Call):
            found = called(context, parent)
            is_by_index = found is not None and found.name in _BY_INDEX
            return whole if is_by_index and any(child is g for g in [*parent.args, *parent.keywords]) else None
        if isinstance(parent, ast.BinOp | ast.UnaryOp):
            whole = parent
        elif not isinstance(parent, ast.Tuple | ast.keyword):
            return None
        child = parent
    return None
