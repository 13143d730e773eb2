"""Calls that take the parameters of a model: its own methods, and functions that are handed the model."""

from __future__ import annotations

import ast
import re

from xlaport.context import Context
from xlaport.facts.classes import default
from xlaport.facts.module import FunctionNode, walk_block
from xlaport.facts.names import How
from xlaport.facts.roles import Role
from xlaport.facts.structure import Function

_METHODS = ("parameters", "named_parameters", "configure_optimizers")
_TAKING = re.compile(rf"\.({'|'.join(_METHODS)})\(|\b(add_weight_decay|create_optimizer(_v2)?|param_groups\w*)\(")
"""What the text of a function holds that takes parameters, itself or by another one."""
_MAX_DEPTH = 3

_LIBRARY = frozenset(
    f"timm.optim.{module}{name}"
    for module in ("", "optim_factory.", "_optim_factory.", "_param_groups.")
    for name in ("create_optimizer", "create_optimizer_v2", "add_weight_decay", "param_groups_weight_decay")
)
"""Functions of libraries that make an optimizer, or its parameter groups, of a model."""


def takers(context: Context) -> list[ast.Call]:
    """The calls of a file that take the parameters of a model."""
    return context.view.own.once(
        "XP203",
        lambda: [call for call in context.module.calls if _is_taking(context, call) or _handed(context, call)],
    )


def is_method(call: ast.Call) -> bool:
    """``model.parameters()``."""
    return isinstance(call.func, ast.Attribute) and call.func.attr in _METHODS


def _is_taking(context: Context, call: ast.Call) -> bool:
    """``model.parameters()``, or a method of the model's own in a group: ``{"params": model.head_parameters()}``."""
    if is_method(call):
        return True
    group = context.module.parents[call]
    if not isinstance(group, ast.Dict) or call.args or call.keywords:
        return False
    key = group.keys[group.values.index(call)]
    is_own = isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Name | ast.Attribute)
    return is_own and isinstance(key, ast.Constant) and key.value == "params"


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
    function = _function(context, call)
    if function is None or not _may_take(function):
        return []
    return [a for a in plain if _takes(context, function, _parameter(context, call, function, a), 0)]


def _function(context: Context, call: ast.Call) -> Function | None:
    """The function of the project that a call runs, where its name or an import says so."""
    own = context.names.function_called(call)
    if own is not None:
        return Function(context.view.own, own)
    found = context.flow.structure.definition(context.view.own, call.func)
    return Function(found[0], found[1]) if found is not None and isinstance(found[1], FunctionNode) else None


def _may_take(function: Function) -> bool:
    return _TAKING.search(function.facts.module.segment(function.node)) is not None


def gives_optimizer(context: Context, call: ast.Call) -> bool:
    """Whether a call of a function of the project, or of a library, gives an optimizer."""
    name = context.resolve(call.func) or ""
    if name in _LIBRARY:
        return ".create_optimizer" in name
    function = _function(context, call)
    return function is not None and _speaks_of_optimizers(function) and _returns_optimizer(context, function, 0)


def _speaks_of_optimizers(function: Function) -> bool:
    return "optim" in function.facts.module.segment(function.node) or _may_take(function)


def is_chosen(context: Context, value: ast.expr) -> bool:
    """``getattr(torch.optim, name)(…)``, ``opt_class(…)`` of a parameter, or of a name in between."""
    func = value.func if isinstance(value, ast.Call) else None
    if isinstance(func, ast.Name):
        found = context.names.bindings(func)
        if [b.how for b in found] == [How.PARAMETER] and isinstance(found[0].node, ast.arg):
            arguments = context.module.parents[found[0].node]
            func = default(arguments, func.id) if isinstance(arguments, ast.arguments) else None
            return func is not None and _is_optimizer_class(context, func)
        func = context.names.assigned(func)
    if not isinstance(func, ast.Call) or not func.args:
        return func is not None and _is_optimizer_class(context, func)
    called = context.resolve(func.func)
    if called == "functools.partial":
        return _is_optimizer_class(context, func.args[0])
    return called == "builtins.getattr" and context.resolve(func.args[0]) == "torch.optim"


def _is_optimizer_class(context: Context, node: ast.expr) -> bool:
    package, _, name = (context.resolve(node) or "").rpartition(".")
    return package == "torch.optim" and name[:1].isupper()


def _returns_optimizer(context: Context, function: Function, depth: int) -> bool:
    there = context.of(function.facts)
    values = [n.value for n in function.facts.module.returns(function.node) if n.value is not None]
    if any(there.roles.is_(value, Role.OPTIMIZER) or is_chosen(there, value) for value in values):
        return True
    if depth >= _MAX_DEPTH:
        return False
    inner = [_function(there, v) for v in values if isinstance(v, ast.Call)]
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
        if is_method(node):
            assert isinstance(node.func, ast.Attribute)
            if isinstance(node.func.value, ast.Name) and node.func.value.id == parameter:
                return True
            continue
        given = [a for a in [*node.args, *(k.value for k in node.keywords)] if isinstance(a, ast.Name)]
        handed = [a for a in given if a.id == parameter]
        if handed and there.resolve(node.func) in _LIBRARY:
            return True
        inner = _function(there, node) if handed else None
        if inner is not None and inner != function and _may_take(inner):
            if _takes(context, inner, _parameter(there, node, inner, handed[0]), depth + 1):
                return True
    return False
