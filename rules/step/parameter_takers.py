"""Calls that take the parameters of a model: its own methods, and functions that are handed the model."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.facts.module import walk_block
from xlaport.facts.roles import Role
from xlaport.facts.structure import Function

_METHODS = ("parameters", "named_parameters", "configure_optimizers", "trainable_parameters")
_MAX_DEPTH = 3

_LIBRARY = frozenset(
    f"timm.optim.{module}{name}"
    for module in ("", "optim_factory.", "_optim_factory.", "_param_groups.")
    for name in ("create_optimizer", "create_optimizer_v2", "add_weight_decay", "param_groups_weight_decay")
)
"""Functions of libraries that make an optimizer, or its parameter groups, of a model."""


def takers(context: Context) -> list[ast.Call]:
    """The calls of a file that take the parameters of a model."""
    return [call for call in context.module.calls if taken_by(context, call)]


def taken_by(context: Context, node: ast.AST) -> list[ast.expr]:
    """The models whose parameters a call takes: ``model`` of ``model.parameters()`` and of ``groups_of(model)``."""
    if not isinstance(node, ast.Call):
        return []
    if isinstance(node.func, ast.Attribute) and node.func.attr in _METHODS:
        return [node.func.value]
    given = [*node.args, *(k.value for k in node.keywords)]
    candidates: list[ast.expr] = [
        a for a in given if isinstance(a, ast.Name | ast.Attribute) and context.roles.is_(a, Role.MODEL)
    ]
    if not candidates:
        return []
    if context.resolve(node.func) in _LIBRARY:
        return candidates
    function = context.flow.structure.run_by(context.view.own, node)
    if function is None or function.node.name == "__init__":
        return []
    return [a for a in candidates if _takes(context, function, _parameter(context, node, function, a), 0)]


def gives_optimizer(context: Context, call: ast.Call) -> bool:
    """Whether a call of a function of the project, or of a library, gives an optimizer."""
    if context.resolve(call.func) in _LIBRARY and not (context.resolve(call.func) or "").endswith(("decay",)):
        return True
    function = context.flow.structure.run_by(context.view.own, call)
    return function is not None and _returns_optimizer(context, function, 0)


def _returns_optimizer(context: Context, function: Function, depth: int) -> bool:
    there = context.of(function.facts)
    values = [n.value for n in walk_block(function.node.body) if isinstance(n, ast.Return) and n.value is not None]
    if any(there.roles.is_(value, Role.OPTIMIZER) for value in values):
        return True
    if depth >= _MAX_DEPTH:
        return False
    inner = [there.flow.structure.run_by(function.facts, v) for v in values if isinstance(v, ast.Call)]
    return any(f is not None and f != function and _returns_optimizer(context, f, depth + 1) for f in inner)


def _parameter(context: Context, call: ast.Call, function: Function, argument: ast.expr) -> str | None:
    keyword = next((k.arg for k in call.keywords if k.value is argument), None)
    return keyword or context.flow.structure.parameter_of(call, function, argument)


def _takes(context: Context, function: Function, parameter: str | None, depth: int) -> bool:
    """Whether a function takes the parameters of what it gets, and gives something back."""
    if parameter is None or depth > _MAX_DEPTH:
        return False
    body = list(walk_block(function.node.body))
    if not any(isinstance(n, ast.Return) and n.value is not None for n in body):
        return False
    there = context.of(function.facts)
    for node in body:
        if not isinstance(node, ast.Call):
            continue
        func = node.func
        if isinstance(func, ast.Attribute) and func.attr in _METHODS:
            if isinstance(func.value, ast.Name) and func.value.id == parameter:
                return True
            continue
        given = [a for a in [*node.args, *(k.value for k in node.keywords)] if isinstance(a, ast.Name)]
        handed = [a for a in given if a.id == parameter]
        inner = there.flow.structure.run_by(function.facts, node) if handed else None
        if inner is not None and inner != function:
            if _takes(context, inner, _parameter(there, node, inner, handed[0]), depth + 1):
                return True
    return False
