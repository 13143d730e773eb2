"""Tensors that keep their values: those which nothing changes in place once they are computed."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.facts.freshness import Freshness
from xlaport.facts.names import How


def lasts(context: Context, tensor: ast.expr, loop: ast.stmt) -> bool:
    """Whether a tensor is new in each pass of a loop and not changed in place, so that a list may hold it as it is."""
    if not Freshness(context.module, context.names, context.roles).is_fresh(tensor):
        return False
    if not isinstance(tensor, ast.Name):
        return isinstance(tensor, ast.Call | ast.BinOp | ast.UnaryOp | ast.Compare)
    if any(binding.how is How.AUGMENT for binding in context.names.bindings(tensor)):
        return False
    if not all(loop in context.module.ancestors(binding.node) for binding in context.names.reaching(tensor)):
        return False
    home = context.names.home(tensor)
    return home is not None and not any(changes(context, use) for use in context.names.uses(home, tensor.id))


def changes(context: Context, use: ast.Name) -> bool:
    """Whether a use changes a tensor in place: ``x.mul_(2)``, ``x[0] = 1``, ``relu_(x)``, ``add(…, out=x)``."""
    node: ast.AST = use
    parent = context.module.parents[node]
    while isinstance(parent, ast.Attribute | ast.Subscript) and parent.value is node:
        if not isinstance(parent.ctx, ast.Load):
            return True
        if isinstance(parent, ast.Attribute) and parent.attr.endswith("_") and not parent.attr.endswith("__"):
            return True
        node, parent = parent, context.module.parents[parent]
    if isinstance(parent, ast.AugAssign):
        return parent.target is node
    if isinstance(parent, ast.keyword):
        return parent.arg == "out"
    if isinstance(parent, ast.Call) and node in parent.args and any(k.arg == "inplace" for k in parent.keywords):
        return True
    called = parent.func if isinstance(parent, ast.Call) and parent.func is not node else None
    name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
    return name.endswith("_") and not name.endswith("__")
