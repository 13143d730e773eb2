"""An optimizer that an object builds of its own parameters, which another method or the outside moves later."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.facts.module import FunctionNode
from xlaport.facts.roles import dotted
from xlaport.facts.structure import Function

from .moved_objects import stripped
from .moves import is_move

_MAX_DEPTH = 8


def made_out_of_sight(context: Context, statement: ast.stmt, models: list[str]) -> bool:
    """Whether a module takes its parameters when it is made, and no file is seen to make one: who moves it when?"""
    function, owner = context.module.function(statement), context.module.class_of(statement)
    if owner is None or function is None or context.module.parents[function] is not owner or not function.args.args:
        return False
    parts = _own_parts(context, statement, owner, function, models) if is_module(context, owner) else []
    init = context.names.method(owner, "__init__")
    if not parts or init is None or any(_says_device(context, method, parts) for method in (init, function)):
        return False
    return not _is_seen_made(context, Function(context.view.own, init))


def _is_seen_made(context: Context, init: Function, depth: int = 0) -> bool:
    """Whether a file makes an object by this ``__init__``, or by that of a class which calls it for its own objects."""
    for site in context.flow.structure.calls_to(init):
        there, called = context.of(site.facts), site.node.func
        caller = there.module.function(site.node)
        by_class = isinstance(called, ast.Attribute) and called.attr == "__init__" and caller is not None
        if not by_class or caller is None or caller.name != "__init__" or depth > _MAX_DEPTH:
            return True
        if _is_seen_made(context, Function(site.facts, caller), depth + 1):
            return True
    return False


def _says_device(context: Context, function: FunctionNode, parts: list[str]) -> bool:
    """Whether a function is handed a device, or names one: the parameters may be made there.

    A part beside these, ``self.other = Net().cuda()``, says nothing of them.
    """
    arguments = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
    return any("dev" in argument.arg for argument in arguments) or any(
        (isinstance(node, ast.keyword) and node.arg == "device")
        or (isinstance(node, ast.Attribute) and node.attr == "device")
        or (isinstance(node, ast.Attribute) and node.attr == "cuda" and not _is_beside(context, node, parts))
        for node in ast.walk(function)
    )


def _is_beside(context: Context, node: ast.Attribute, parts: list[str]) -> bool:
    """Whether a ``.cuda()`` is one of what becomes another part of the object."""
    statement = context.module.statement(node)
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    paths = [dotted(target) for target in targets if isinstance(target, ast.Attribute)]
    me = parts[0].partition(".")[0]
    is_part = bool(paths) and len(paths) == len(targets) and me not in parts
    return is_part and all(path is not None and path not in parts for path in paths)


def _own_parts(
    context: Context, statement: ast.stmt, owner: ast.ClassDef, function: FunctionNode, models: list[str]
) -> list[str]:
    """The models that are the object itself or parts of it, in a method that runs when it is made and moves none."""
    me = function.args.args[0].arg
    parts = [model for model in models if model == me or model.startswith(f"{me}.")]
    if not parts or _moves_itself(context, function, me, parts):
        return []
    return parts if is_run_when_made(context, owner, function) else []


def is_run_when_made(context: Context, owner: ast.ClassDef, function: ast.AST) -> bool:
    """Whether a method is ``__init__``, or called by it."""
    init = context.names.method(owner, "__init__")
    return function is init or (
        init is not None
        and any(isinstance(n, ast.Call) and context.names.function_called(n) is function for n in ast.walk(init))
    )


def _moves_itself(context: Context, function: ast.AST, me: str, parts: list[str]) -> bool:
    """Whether the method puts the parts on the device before it takes their parameters."""
    return any(
        is_move(context, node)
        and isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and (_is_part(node.func.value, me, parts) or _stored_as(context, node) in parts)
        for node in ast.walk(function)
    )


def _is_part(node: ast.expr, me: str, parts: list[str]) -> bool:
    path = dotted(stripped(node))
    return path is not None and (path == me or path in parts)


def _stored_as(context: Context, call: ast.expr) -> str | None:
    parent = context.module.parents[call]
    return dotted(parent.targets[0]) if isinstance(parent, ast.Assign) else None


def is_module(context: Context, owner: ast.ClassDef) -> bool:
    """A class derived from ``nn.Module``, or from a layer: ``class Layer(nn.Linear)``."""
    return context.roles.is_module_class(owner) or any(
        (context.resolve(base) or "").startswith("torch.nn.") for c in context.names.bases(owner) for base in c.bases
    )
