"""A place that is looked up on the device, read, and used for indices alone."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.facts.role import Role
from xlaport.rule import Edit, Replace

from .in_place import is_changed_in_place
from .selection import is_mask


def is_looked_up(context: Context, node: ast.AST) -> bool:
    """Whether a part of a statement, `nonzero()`, is a part of what the rule takes out."""
    return kept(context, context.module.statement(node)) is not None


def kept(context: Context, statement: ast.stmt) -> tuple[ast.expr, list[Edit]] | None:
    """What a place is looked up by that can stay on the device, with the edits of its indices; None for others."""
    target = statement.targets[0] if isinstance(statement, ast.Assign) and len(statement.targets) == 1 else None
    if not isinstance(statement, ast.Assign) or not isinstance(target, ast.Name) or not context.editable(statement):
        return None
    found = _looked_up(context, statement.value)
    edits = _indices(context, target) if found is not None else None
    return (found, edits) if found is not None and edits is not None else None


def _looked_up(context: Context, node: ast.expr) -> ast.expr | None:
    """``x == t`` of ``(x == t).nonzero().item()`` and ``int((x == t).nonzero())``."""
    if not isinstance(node, ast.Call):
        return None
    if context.resolve(node.func) == "builtins.int" and len(node.args) == 1:
        places: ast.expr = node.args[0]
    elif isinstance(node.func, ast.Attribute) and node.func.attr == "item":
        places = node.func.value
    else:
        return None
    if not isinstance(places, ast.Call) or places.keywords or places.args:
        return None
    if not isinstance(places.func, ast.Attribute) or places.func.attr != "nonzero":
        return None
    found = places.func.value
    return found if context.roles.is_(found, Role.TENSOR) and is_mask(context, found) else None


def _indices(context: Context, target: ast.Name) -> list[Edit] | None:
    """The edits of the indices that a name is used for; None where it is used for something else, or bound again."""
    edits: list[Edit] = []
    for use in context.names.only_uses_of(target) or ():
        subscript = _index_of(context, use)
        if subscript is None:
            return None
        span = context.span(subscript)
        edits.append(Replace(span, f"{context.module.segment(subscript)}.squeeze(0)"))
    return edits or None


def _index_of(context: Context, use: ast.Name) -> ast.Subscript | None:
    """``y[i]``, ``y[i + 1]`` that reads a tensor of the device, and does not change it in place."""
    index: ast.expr = use
    parent = context.module.parents[use]
    if isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.Add | ast.Sub) and parent.left is use:
        if not (isinstance(parent.right, ast.Constant) and type(parent.right.value) is int):
            return None
        index, parent = parent, context.module.parents[parent]
    if not isinstance(parent, ast.Subscript) or parent.slice is not index or not isinstance(parent.ctx, ast.Load):
        return None
    if not context.roles.is_(parent.value, Role.TENSOR):
        return None
    return None if is_changed_in_place(context, parent) or not context.editable(parent) else parent
