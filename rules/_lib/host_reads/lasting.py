"""Tensors that keep their values: those which nothing changes in place once they are computed."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.facts.freshness import Freshness
from xlaport.facts.module import LoopNode
from xlaport.facts.names import How


def lasts(context: Context, tensor: ast.expr, loop: ast.stmt) -> bool:
    """Whether a tensor is new in each pass of a loop and not changed in place, so that a list may hold it as it is."""
    if not Freshness(context.module, context.names, context.roles).is_fresh(tensor):
        return False
    if not isinstance(tensor, ast.Name):
        return isinstance(tensor, ast.Call | ast.BinOp | ast.UnaryOp | ast.Compare)
    if not all(loop in context.module.ancestors(binding.node) for binding in context.names.reaching(tensor)):
        return False
    home = context.names.home(tensor)
    if home is None:
        return False
    changed: list[ast.AST] = [b.node for b in context.names.bindings(tensor) if b.how is How.AUGMENT]
    changed += [use for use in context.names.uses(home, tensor.id) if changes(context, use)]
    return not changed or _come_before(context, changed, tensor, loop)


def _come_before(context: Context, changed: list[ast.AST], tensor: ast.Name, loop: ast.stmt) -> bool:
    """Whether a name is changed between the beginning of a pass, which makes it anew, and a use, and nowhere else."""
    if not isinstance(loop, LoopNode):
        return False
    body = loop.body
    here = _place(context, tensor, body)
    places = [_place(context, node, body) for node in changed]
    begun = [
        place
        for place, statement in enumerate(body)
        if isinstance(statement, ast.Assign)
        and any(isinstance(target, ast.Name) and target.id == tensor.id for target in statement.targets)
    ]
    return here is not None and bool(begun) and all(p is not None and begun[0] < p < here for p in places)


def _place(context: Context, node: ast.AST, body: list[ast.stmt]) -> int | None:
    """Which statement of a block a node belongs to; None where it lies outside."""
    around = {node, *context.module.ancestors(node)}
    return next((place for place, statement in enumerate(body) if statement in around), None)


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
