"""Calls that take the parameters of a model: its own methods, and functions that are handed the model."""

from __future__ import annotations

import ast

from xlaport.analysis.definitions import Function
from xlaport.analysis.events import Kind, Objects, parameters_in
from xlaport.analysis.of_file import analysis_of
from xlaport.analysis.order import executed, given_site
from xlaport.analysis.value import OPTIMIZER, UNKNOWN, Site
from xlaport.context import Context
from xlaport.facts.roles import Role

_METHODS = ("parameters", "named_parameters", "configure_optimizers")
_TAKING = frozenset({Kind.TAKE, Kind.KEEP})
_LIBRARY = frozenset(
    f"timm.optim.{module}{name}"
    for module in ("", "optim_factory.", "_optim_factory.", "_param_groups.")
    for name in ("create_optimizer", "create_optimizer_v2", "add_weight_decay", "param_groups_weight_decay")
)
"""Functions of libraries that make an optimizer, or its parameter groups, of a model."""


def takers(context: Context) -> list[ast.Call]:
    """The calls of a file that take the parameters of a model."""
    return context.view.own.once(
        "XP203", lambda: [call for call in context.module.calls if _is_taking(context, call) or _handed(context, call)]
    )


def is_method(call: ast.Call) -> bool:
    """``model.parameters()``."""
    return isinstance(call.func, ast.Attribute) and call.func.attr in _METHODS


def _is_taking(context: Context, call: ast.Call) -> bool:
    """``model.parameters()``, or a method of the model's own: in a group, ``{"params": model.head_parameters()}``, or
    one that is seen to give parameters.
    """
    if is_method(call) or _gives_parameters(context, call):
        return True
    group = context.module.parents[call]
    if not isinstance(group, ast.Dict) or call.args or call.keywords:
        return False
    key = group.keys[group.values.index(call)]
    is_own = isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Name | ast.Attribute)
    return is_own and isinstance(key, ast.Constant) and key.value == "params"


def _gives_parameters(context: Context, call: ast.Call) -> bool:
    if not isinstance(call.func, ast.Attribute) or not context.roles.is_(call.func.value, Role.MODEL):
        return False
    value = analysis_of(context.view.own).value_at(call)
    return value is not None and bool(parameters_in(value))


def taken_by(context: Context, node: ast.AST) -> list[ast.expr]:
    """The models whose parameters a call takes: ``model`` of ``model.parameters()`` and of ``groups_of(model)``."""
    if not isinstance(node, ast.Call):
        return []
    if _is_taking(context, node):
        assert isinstance(node.func, ast.Attribute)
        return [node.func.value]
    return _handed(context, node)


def _handed(context: Context, call: ast.Call) -> list[ast.expr]:
    given = [*call.args, *(k.value for k in call.keywords)]
    plain = [a for a in given if isinstance(a, ast.Name | ast.Attribute)]
    if not plain or not isinstance(context.module.statement(call), ast.Assign | ast.AnnAssign | ast.AugAssign):
        return []
    if context.resolve(call.func) in _LIBRARY:
        return [a for a in plain if context.roles.is_(a, Role.MODEL)]
    return [
        value
        for function, passed in analysis_of(context.view.own).run_by(call).items()
        for name, value in passed.items()
        if value in plain and given_site(function, name) in _taken_in(context, function)
    ]


def _taken_in(context: Context, function: Function) -> Objects:
    """What a function takes the parameters of, itself or by another one."""
    analysis = analysis_of(context.view.own)
    if _TAKING.isdisjoint(analysis.done.get(function, frozenset())):
        return frozenset()
    events = (event for event in executed(function, analysis) if event.kind in _TAKING)
    return analysis.once(("taken in", function), lambda: frozenset[Site]().union(*(e.objects for e in events)))


def gives_optimizer(context: Context, value: ast.expr) -> bool:
    """Whether an expression gives an optimizer."""
    if isinstance(value, ast.Call) and ".create_optimizer" in (context.resolve(value.func) or ""):
        return context.resolve(value.func) in _LIBRARY
    found = analysis_of(context.view.own).value_at(value) or UNKNOWN
    return any(one.type == OPTIMIZER for one in found.alternatives or (found,))
