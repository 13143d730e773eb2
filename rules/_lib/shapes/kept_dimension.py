"""Indices that may have one dimension instead of none."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.facts.held import Kind
from xlaport.facts.role import Role

from .in_place import is_changed_in_place


def keeps_dimension(context: Context, node: ast.Subscript) -> bool:
    """Whether the index of a step can be one of one dimension: a single place that nobody writes to."""
    return (
        isinstance(node.ctx, ast.Load)
        and context.editable(node)
        and _is_place(context, node.slice)
        and context.roles.is_(node.value, Role.TENSOR)
        and context.singles.is_one(context.view.own, node.value) is True
        and not context.step_code.is_now_and_then(node, but_training=True)
        and not is_changed_in_place(context, node)
    )


def _is_place(context: Context, node: ast.expr) -> bool:
    """Whether an index is known to be one whole number on the device."""
    if isinstance(node, ast.Constant) or not context.roles.is_(node, Role.TENSOR):
        return False
    held = context.tensors.held(context.view.own, node)
    return held.kind is Kind.INT and held.rank == 0
