"""Tensors whose parts are moved to a device: they were not there."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.facts.roles import Role
from xlaport.facts.vocabulary import MOVING_METHODS


def is_moved_later(context: Context, node: ast.expr) -> bool:
    """Whether a value goes to a device behind the place where it is taken: ``x[i : i + n].to(device)``."""
    if _is_moved(context, node):
        return True
    parent = context.module.parents[node]
    targets = parent.targets if isinstance(parent, ast.Assign) and parent.value is node else []
    return any(_is_moved(context, use) for target in targets for use in context.names.uses_of(target))


def _is_moved(context: Context, node: ast.expr) -> bool:
    """Whether an expression, or what a call makes of it, is the one that ``.to(device)`` moves."""
    child: ast.AST = node
    for parent in context.module.ancestors(node):
        if isinstance(parent, ast.stmt):
            return False
        if isinstance(parent, ast.Call) and parent.func is child and goes_to_device(context, parent):
            return True
        child = parent
    return False


def goes_to_device(context: Context, call: ast.Call) -> bool:
    """``x.cuda()``, ``x.to(device)``: no change of the type of its elements, ``x.to(torch.bfloat16)``."""
    if not isinstance(call.func, ast.Attribute) or call.func.attr not in MOVING_METHODS:
        return False
    given = [*call.args[:1], *(k.value for k in call.keywords if k.arg == "device")]
    return call.func.attr == "cuda" or any(_is_device(context, g) for g in given)


def _is_device(context: Context, node: ast.expr) -> bool:
    return context.roles.is_(node, Role.DEVICE) or (isinstance(node, ast.Attribute) and node.attr == "device")
