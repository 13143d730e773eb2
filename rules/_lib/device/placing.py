"""The name that code has for its accelerator at some place, or the call that gets it."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.facts.main_guards import is_main_guard
from xlaport.facts.module import FunctionNode
from xlaport.facts.names import Binding, How
from xlaport.rule import Import

from . import cuda

_NAMES = ("device", "dev")
_MAX_DEPTH = 6


def device(context: Context, node: ast.AST) -> tuple[str, tuple[Import, ...]]:
    """The text for the accelerator at a node: a name that holds it there, or the target's call with its imports."""
    for name in _NAMES:
        bindings = context.names.visible(name, node)
        if bindings and _all_before(context, bindings, node) and _hold_accelerator(context, bindings):
            return name, ()
    attribute = _attribute(context, node) or _option(context, node)
    if attribute is not None:
        return attribute, ()
    text, imports = context.symbol("device", node)
    return f"{text}()", imports


def _attribute(context: Context, node: ast.AST) -> str | None:
    """``self.device`` in a method, where ``__init__`` made it the accelerator before it ran anything else."""
    function, owner = context.module.function(node), context.module.class_of(node)
    if function is None or owner is None or context.module.parents[function] is not owner:
        return None
    init = context.names.method(owner, "__init__")
    if init is None or function is init or not function.args.args or context.names.is_static(function):
        return None
    me = function.args.args[0].arg
    values = context.roles.classes.attribute_values(owner, "device")
    kinds = [_kind_of(context, value, 0) if value is not None else None for value in values]
    if (
        not all(kinds)
        or "accelerator" not in kinds
        or [b.how for b in context.names.visible(me, node)] != [How.PARAMETER]
    ):
        return None
    return f"{me}.device" if _comes_first(context, init, values) else None


def _option(context: Context, node: ast.AST) -> str | None:
    """``args.device``, which the same function has made the accelerator, or one of it and the host, above a node."""
    function = context.module.function(node)
    stored = [
        assign
        for assign in context.module.of_type(ast.Assign)
        if isinstance(assign.targets[0], ast.Attribute)
        and assign.targets[0].attr == "device"
        and isinstance(assign.targets[0].value, ast.Name)
        and len(context.names.bindings(assign.targets[0].value)) == 1
        and context.module.function(assign) is function
    ]
    texts = {ast.unparse(assign.targets[0]) for assign in stored}
    kinds = [_kind_of(context, assign.value, 0) for assign in stored]
    is_above = all(assign.lineno < getattr(node, "lineno", 0) for assign in stored)
    return texts.pop() if len(texts) == 1 and all(kinds) and "accelerator" in kinds and is_above else None


def _comes_first(context: Context, init: ast.AST, values: list[ast.expr | None]) -> bool:
    """Whether ``__init__`` sets the attribute before it calls a method of the object."""
    for statement in getattr(init, "body", []):
        if isinstance(statement, ast.Assign | ast.AnnAssign) and statement.value in values:
            return True
        for call in ast.walk(statement):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute):
                if isinstance(call.func.value, ast.Name) and context.names.self_class(call.func.value) is not None:
                    return False
    return False


def _all_before(context: Context, bindings: tuple[Binding, ...], node: ast.AST) -> bool:
    """Whether the name has its value by the time that the node runs."""
    for binding in bindings:
        if binding.how is How.PARAMETER:
            continue
        home = context.names.scope(binding.node)
        if home is context.names.scope(node):
            if getattr(binding.node, "lineno", 0) >= getattr(node, "lineno", 0):
                return False
        elif context.module.function(binding.node) is not None or _is_of_the_script(context, binding):
            return False
        elif _runs_before(context, context.module.function(node), binding):
            return False
    return True


def _runs_before(context: Context, function: FunctionNode | None, binding: Binding, depth: int = 0) -> bool:
    """Whether the file calls a function above the place where a name of the file gets its value."""
    if function is None or depth > _MAX_DEPTH:
        return False
    line = getattr(binding.node, "lineno", 0)
    for call in context.roles.calls_to(function):
        caller = context.module.function(call)
        if call.lineno < line if caller is None else _runs_before(context, caller, binding, depth + 1):
            return True
    return False


def _is_of_the_script(context: Context, binding: Binding) -> bool:
    """Whether a file that is imported has no such name, and none of its functions expects it."""
    if not any(is_main_guard(parent) for parent in context.module.ancestors(binding.node)):
        return False
    return all(context.module.function(use) is None for use in context.names.uses(context.names.root, binding.name))


def _hold_accelerator(context: Context, bindings: tuple[Binding, ...], depth: int = 0) -> bool:
    """Whether the bindings choose between the accelerator and the host at the most, and can choose the accelerator."""
    if depth > _MAX_DEPTH:
        return False
    kinds = [_kind(context, binding, depth) for binding in bindings]
    return all(kinds) and "accelerator" in kinds


def _kind(context: Context, binding: Binding, depth: int) -> str | None:
    if binding.how is How.ASSIGN and binding.value is not None:
        return _kind_of(context, binding.value, depth)
    if binding.how is How.PARAMETER:
        return _passed(context, binding, depth)
    return None


def _kind_of(context: Context, value: ast.expr, depth: int) -> str | None:
    if cuda.is_cuda_device(context, value):
        return "accelerator"
    if isinstance(value, ast.Call):
        called = context.resolve(value.func)
        if called in context.target.devices:
            return "accelerator"
        if called == "torch.device" and len(value.args) == 1:
            argument = value.args[0]
            if isinstance(argument, ast.IfExp):
                if cuda.is_cuda_string(argument.body) and cuda.is_cpu_string(argument.orelse):
                    return "accelerator"
            elif isinstance(argument, ast.Constant):
                if argument.value == context.target.device_type:
                    return "accelerator"
                # "mps" stands in the other branch of the usual three-way choice.
                return "host" if argument.value in ("cpu", "mps") else None
        return None
    if isinstance(value, ast.IfExp):
        kinds = {_kind_of(context, value.body, depth), _kind_of(context, value.orelse, depth)}
        return "accelerator" if "accelerator" in kinds and None not in kinds else None
    if isinstance(value, ast.Name):
        return "accelerator" if _hold_accelerator(context, context.names.bindings(value), depth + 1) else None
    return None


def _passed(context: Context, binding: Binding, depth: int) -> str | None:
    """What the calls of the function in this file pass for a parameter."""
    function = context.module.function_of(binding.node)
    if function is None:
        return None
    calls = context.roles.calls_to(function)
    passed = [context.roles.argument_for(call, function, binding.name) for call in calls]
    kinds = {_kind_of(context, value, depth + 1) if value is not None else None for value in passed}
    return "accelerator" if kinds == {"accelerator"} else None
