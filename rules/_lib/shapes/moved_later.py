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
    if not isinstance(parent, ast.Assign) or parent.value is not node:
        return False
    function = context.module.function(node)
    body = function.body if function is not None else context.module.tree.body
    bound = [b for t in parent.targets if isinstance(t, ast.Name) for b in context.names.bindings(t) if b.node is t]
    return bool(bound) and any(
        isinstance(use.ctx, ast.Load)
        and any(binding in context.names.reaching(use) for binding in bound)
        and _is_moved(context, use)
        for use in context.module.that_run(body, ast.Name)
    )


def is_before_its_move(context: Context, tensor: ast.expr) -> bool:
    """Whether an expression is of tensors that lie on the host, as far as is known, until they move further down."""
    names = [n for n in ast.walk(tensor) if isinstance(n, ast.Name) and context.resolve(n) is None]
    facts = [(name, context.roles.of(name)) for name in names]
    placed = [(name, fact) for name, fact in facts if fact is None or fact.role is Role.TENSOR]
    return bool(placed) and all((fact is None or fact.assumed) and _is_still_to_move(context, n) for n, fact in placed)


def _is_still_to_move(context: Context, name: ast.Name) -> bool:
    """Whether what a name holds goes to a device behind the place where it is used, and keeps its name.

    ``mask = mask.to(device)``, or ``x, mask = to_device(x, mask)`` of a function that moves what it is given.
    """
    bound, function = context.names.reaching(name), context.module.function(name)
    home = context.names.home(name)
    for use in context.names.uses(home, name.id) if home is not None and bound else ():
        statement = context.module.statement(use)
        if not isinstance(use.ctx, ast.Load) or not isinstance(statement, ast.Assign) or use.lineno <= name.lineno:
            continue
        if context.module.function(use) is not function or context.names.reaching(use) != bound:
            continue
        stored = {n.id for target in statement.targets for n in ast.walk(target) if isinstance(n, ast.Name)}
        if name.id in stored and (_is_moved(context, use) or _is_given_to_what_moves(context, use)):
            return True
    return False


def _is_given_to_what_moves(context: Context, use: ast.Name) -> bool:
    """Whether a name is an argument of a function of the project that moves what it is given."""
    call = context.module.parents[use]
    if not isinstance(call, ast.Call) or not any(use is argument for argument in call.args):
        return False
    found = context.flow.structure.run_by(context.view.own, call)
    there = context.of(found.facts) if found is not None else context
    return found is not None and any(_moves(there, call) for call in there.module.that_run(found.node.body, ast.Call))


def _is_moved(context: Context, node: ast.expr) -> bool:
    """Whether an expression, or what a call makes of it, is the one that ``.to(device)`` moves."""
    child: ast.AST = node
    for parent in context.module.ancestors(node):
        if isinstance(parent, ast.stmt):
            return False
        if isinstance(parent, ast.Call) and parent.func is child and _moves(context, parent):
            return True
        child = parent
    return False


def _moves(context: Context, call: ast.Call) -> bool:
    """``x.cuda()``, ``x.to(device)``."""
    if not isinstance(call.func, ast.Attribute) or call.func.attr not in MOVING_METHODS:
        return False
    given = [*call.args[:1], *(k.value for k in call.keywords if k.arg == "device")]
    return call.func.attr == "cuda" or any(_is_device(context, g) for g in given)


def _is_device(context: Context, node: ast.expr) -> bool:
    return context.roles.is_(node, Role.DEVICE) or (isinstance(node, ast.Attribute) and node.attr == "device")
