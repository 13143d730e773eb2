"""Tensors whose parts are moved to a device: they were not there."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.facts.module import walk_block
from xlaport.facts.roles import Role
from xlaport.facts.vocabulary import MOVING_METHODS


def is_moved_later(context: Context, node: ast.expr) -> bool:
    """Whether a value goes to a device behind the place where it is taken: ``x[i : i + n].to(device)``."""
    if _is_moved(context, node):
        return True
    parent = context.module.parents[node]
    if not isinstance(parent, ast.Assign) or parent.value is not node:
        return False
    function = context.module.function(node)
    body = function.body if function is not None else context.module.tree.body
    bound = [b for t in parent.targets if isinstance(t, ast.Name) for b in context.names.bindings(t) if b.node is t]
    return any(
        isinstance(use, ast.Name)
        and isinstance(use.ctx, ast.Load)
        and any(binding in context.names.reaching(use) for binding in bound)
        and _is_moved(context, use)
        for use in walk_block(body)
    )


def _is_moved(context: Context, node: ast.expr) -> bool:
    """Whether an expression, or what a call makes of it, is the one that ``.to(device)`` moves."""
    child: ast.AST = node
    for parent in context.module.ancestors(node):
        if isinstance(parent, ast.stmt):
            return False
        if isinstance(parent, ast.Call) and isinstance(parent.func, ast.Attribute) and parent.func is child:
            given = [*parent.args[:1], *(k.value for k in parent.keywords if k.arg == "device")]
            moves = parent.func.attr in MOVING_METHODS
            if moves and (parent.func.attr == "cuda" or any(_is_device(context, g) for g in given)):
                return True
        child = parent
    return False


def _is_device(context: Context, node: ast.expr) -> bool:
    return context.roles.is_(node, Role.DEVICE) or (isinstance(node, ast.Attribute) and node.attr == "device")
