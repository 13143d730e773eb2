"""Objects whose ``load_state_dict()`` keeps the very tensors that it gets: an average, and no module."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.facts.module import FunctionNode
from xlaport.facts.roles import Role
from xlaport.facts.structure import Function

_SAME = frozenset({"copy.copy", "copy.deepcopy", "builtins.dict", "collections.OrderedDict"})
_MOVES = frozenset({"to", "cuda"})


def keeps(context: Context, node: ast.expr) -> bool:
    """``average.load_state_dict(state)`` of a class that says ``self.shadow = state``, a dict of tensors."""
    call = context.module.parents[node]
    if not isinstance(call, ast.Call) or node not in call.args or not isinstance(call.func, ast.Attribute):
        return False
    run = context.flow.structure.run_by(context.view.own, call) if call.func.attr == "load_state_dict" else None
    if run is None or not isinstance(run.node, FunctionNode):
        return False
    owner = run.facts.module.class_of(run.node)
    parameter = context.flow.structure.parameter_of(call, run, node)
    if owner is None or parameter is None or any(_moves(n) for n in ast.walk(owner)):
        return False
    there = context.of(run.facts)
    kept = (target for target in _kept(there, run, parameter) if isinstance(target, ast.Attribute))
    return any(_gets_tensors(there, owner, target.attr) for target in kept)


def _kept(context: Context, run: Function, parameter: str) -> list[ast.expr]:
    """What a function gives a parameter to as it is."""
    found: list[ast.expr] = []
    for node in ast.walk(run.node):
        value = node.value if isinstance(node, ast.Assign) else None
        if isinstance(value, ast.Call) and len(value.args) == 1 and context.resolve(value.func) in _SAME:
            value = value.args[0]
        if isinstance(node, ast.Assign) and isinstance(value, ast.Name) and value.id == parameter:
            found += node.targets
    return found


def _gets_tensors(context: Context, owner: ast.ClassDef, name: str) -> bool:
    """Whether a class puts what may be tensors into a dict of its own: ``self.shadow[name] = p.data.clone()``."""
    return any(
        isinstance(target, ast.Subscript)
        and isinstance(target.value, ast.Attribute)
        and target.value.attr == name
        and _may_be_tensor(context, node.value)
        for node in ast.walk(owner)
        if isinstance(node, ast.Assign)
        for target in node.targets
    )


def _may_be_tensor(context: Context, value: ast.expr) -> bool:
    """Whether a value is a tensor, or is made of something unknown as of one: ``parameter.data.clone()``."""
    role = context.roles.role(value)
    if role is not None:
        return role is Role.TENSOR
    return any(isinstance(n, ast.Attribute) and n.attr in ("data", "clone", "detach") for n in ast.walk(value))


def _moves(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and node.attr in _MOVES
