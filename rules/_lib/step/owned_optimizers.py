"""An optimizer that an object builds of its own parameters, which another method or the outside moves later."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.facts.module import FunctionNode, walk_block
from xlaport.facts.roles import dotted

from .module_moves import is_made
from .moves import brings


def made_out_of_sight(context: Context, statement: ast.stmt, models: list[str]) -> bool:
    """Whether a module takes its parameters when it is made, and no file is seen to make one: who moves it when?"""
    function, owner = context.module.function(statement), context.module.class_of(statement)
    if owner is None or function is None or context.module.parents[function] is not owner or not function.args.args:
        return False
    me = function.args.args[0].arg
    parts = [model for model in models if model == me or model.startswith(f"{me}.")]
    init = context.names.method(owner, "__init__")
    if not parts or not is_module(context, owner) or init is None or not is_run_when_made(context, owner, function):
        return False
    if any(_says_device(context, method, parts) for method in (init, function)) or is_made(context, owner):
        return False
    inside = [node for node in walk_block(function.body) if isinstance(node, ast.stmt)]
    return not any(brings(context, one, part) for one in inside for part in parts)


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


def is_run_when_made(context: Context, owner: ast.ClassDef, function: ast.AST) -> bool:
    """Whether a method is ``__init__``, or called by it; a derived class may have its own."""
    init = context.names.method(owner, "__init__")
    calls = (node for node in (ast.walk(init) if init is not None else ()) if isinstance(node, ast.Call))
    runs = (run for call in calls for run in context.flow.structure.runs(context.view.own, call))
    return function is init or any(run.node is function for run in runs)


def is_module(context: Context, owner: ast.ClassDef) -> bool:
    """A class derived from ``nn.Module``, or from a layer: ``class Layer(nn.Linear)``."""
    return context.roles.is_module_class(owner) or any(
        (context.resolve(base) or "").startswith("torch.nn.") for c in context.names.bases(owner) for base in c.bases
    )
