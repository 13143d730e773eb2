"""An optimizer that a class builds of its own parameters, while the class is moved from outside."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.roles import dotted

from .moves import is_move


def moved_from_outside(context: Context, optimizer: ast.stmt, models: list[str]) -> ast.Call | None:
    """The later move of an object in whose ``__init__`` an optimizer is built of ``self`` or a part of it."""
    function = context.module.function(optimizer)
    owner = context.module.class_of(optimizer)
    if owner is None or function is None or function.name != "__init__" or not function.args.args:
        return None
    me = function.args.args[0].arg
    parts = [model for model in models if model == me or model.startswith(f"{me}.")]
    if not parts or _moves_itself(context, function, me, parts):
        return None
    holders = _holders(context, owner) if _is_module(context, owner) else set()
    for call in context.module.calls:
        if not is_move(context, call):
            continue
        assert isinstance(call.func, ast.Attribute)
        moved = _innermost(call.func.value)
        if _class(context, moved) in holders and function is not context.module.function(call):
            return call
        path = dotted(moved)
        if path in parts and context.module.function(call) is not function and context.module.class_of(call) is owner:
            return call
    return None


def _moves_itself(context: Context, function: ast.AST, me: str, parts: list[str]) -> bool:
    """Whether ``__init__`` puts the parts on the device before they get into the optimizer."""
    return any(
        is_move(context, node)
        and isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and (_is_part(node.func.value, me, parts) or _stored_as(context, node) in parts)
        for node in ast.walk(function)
    )


def _is_part(node: ast.expr, me: str, parts: list[str]) -> bool:
    path = dotted(_innermost(node))
    return path is not None and (path == me or path in parts)


def _stored_as(context: Context, call: ast.expr) -> str | None:
    parent = context.module.parents[call]
    return dotted(parent.targets[0]) if isinstance(parent, ast.Assign) else None


def _innermost(node: ast.expr) -> ast.expr:
    """What a chain of methods starts from: ``Net()`` of ``Net().train()``."""
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Call):
        node = node.func.value
    return node


def _class(context: Context, node: ast.expr) -> ast.ClassDef | None:
    if isinstance(node, ast.Call):
        return context.names.class_named(node.func)
    if isinstance(node, ast.Name) and context.names.self_class(node) is not None:
        return None  # `self.to(…)`: the move may well stand before the optimizer
    return context.roles.instance_class(node)


def _holders(context: Context, owner: ast.ClassDef) -> set[ast.ClassDef]:
    """The class, those derived from it, and the modules that build an object of one of them as a part."""
    found = {owner}
    while True:
        more = {c for c in _module_classes(context) if c not in found and _has(context, c, found)}
        if not more:
            return found
        found |= more


def _module_classes(context: Context) -> Iterator[ast.ClassDef]:
    return (node for node in context.module.nodes if isinstance(node, ast.ClassDef) and _is_module(context, node))


def _is_module(context: Context, owner: ast.ClassDef) -> bool:
    """A class derived from ``nn.Module``, or from a layer: ``class Layer(nn.Linear)``."""
    return context.roles.is_module_class(owner) or any(
        (context.resolve(base) or "").startswith("torch.nn.") for c in context.names.bases(owner) for base in c.bases
    )


def _has(context: Context, owner: ast.ClassDef, parts: set[ast.ClassDef]) -> bool:
    if any(base in parts for base in context.names.bases(owner)):
        return True
    return any(isinstance(n, ast.Call) and context.names.class_named(n.func) in parts for n in ast.walk(owner))
