"""Selected values that are indices: they may be out of range outside of their mask, if all places are computed with."""

from __future__ import annotations

import ast

from xlaport.context import Context

from .operation import called
from .packed_order import uses

_BY_INDEX = frozenset("index_select gather take take_along_dim embedding one_hot torch.nn.Embedding".split())


def index_of(context: Context, selected: ast.expr) -> ast.expr | None:
    """The index that a selection, or a name for it, is a part of: ``ids[mask] - 1`` of ``table[ids[mask] - 1]``."""
    return next((found for use in uses(context, selected) if (found := _index(context, use)) is not None), None)


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
