"""Statements that copy the weights of one model into another."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.facts.roles import dotted

_WHOLE = frozenset({"parameters", "buffers"})
_NAMED = frozenset({"named_parameters", "named_buffers"})
_SAME = frozenset({"detach", "clone"})


def copy_of(context: Context, statement: ast.stmt) -> tuple[ast.expr, ast.expr] | None:
    """The model that a statement gives weights, and the one that has them."""
    if isinstance(statement, ast.For):
        return _by_loop(context, statement) or _by_keys(context, statement)
    return _by_state(context, statement) if isinstance(statement, ast.Expr) else None


def _by_state(context: Context, statement: ast.Expr) -> tuple[ast.expr, ast.expr] | None:
    """``target.load_state_dict(net.state_dict())``"""
    called = _method(statement.value, "load_state_dict")
    if called is None or len(called.args) != 1 or any(k.arg != "strict" for k in called.keywords):
        return None
    given = called.args[0]
    if isinstance(given, ast.Call) and context.resolve(given.func) in ("copy.deepcopy", "copy.copy") and given.args:
        given = given.args[0]
    state = _method(given, "state_dict")
    return (_owner(called), _owner(state)) if state is not None else None


def _by_loop(context: Context, loop: ast.For) -> tuple[ast.expr, ast.expr] | None:
    """``for a, b in zip(target.parameters(), net.parameters()): a.data.copy_(b.data)``"""
    zipped = loop.iter
    if not isinstance(zipped, ast.Call) or context.resolve(zipped.func) != "builtins.zip" or len(zipped.args) != 2:
        return None
    if not isinstance(loop.target, ast.Tuple) or len(loop.target.elts) != 2:
        return None
    models = {
        name: given.func.value
        for target, given in zip(loop.target.elts, zipped.args, strict=True)
        if isinstance(given, ast.Call) and isinstance(given.func, ast.Attribute) and (name := _each(target, given.func))
    }
    for statement in loop.body:
        call = _method(statement.value, "copy_") if isinstance(statement, ast.Expr) else None
        if call is not None and len(call.args) == 1:
            names = [_plain(_owner(call)), _plain(call.args[0])]
            if len(models) == 2 and all(name in models for name in names):
                return models[names[0] or ""], models[names[1] or ""]
    return None


def _by_keys(context: Context, loop: ast.For) -> tuple[ast.expr, ast.expr] | None:
    """``for key in source: target[key].data.copy_(source[key].data)``, of two that are a ``state_dict()``."""
    if not isinstance(loop.target, ast.Name):
        return None
    for statement in loop.body:
        call = _method(statement.value, "copy_") if isinstance(statement, ast.Expr) else None
        if call is None or len(call.args) != 1:
            continue
        found = [_of_key(context, node, loop.target.id) for node in (_owner(call), call.args[0])]
        if found[0] is not None and found[1] is not None:
            return found[0], found[1]
    return None


def _of_key(context: Context, node: ast.expr, key: str) -> ast.expr | None:
    """The model whose state a value is one of: ``source[key].data`` behind ``source = net.state_dict()``."""
    item = _bare(node)
    if not isinstance(item, ast.Subscript) or not isinstance(item.slice, ast.Name) or item.slice.id != key:
        return None
    state = _method(given(context, item.value) or item.value, "state_dict")
    return _owner(state) if state is not None else None


def given(context: Context, node: ast.expr) -> ast.expr | None:
    """The one value that a name has, or an attribute of the object itself."""
    if isinstance(node, ast.Attribute):
        owner = context.module.class_of(node)
        values = context.view.own.classes.attribute_values(owner, node.attr) if owner is not None else []
        return values[0] if dotted(node.value) == "self" and len(values) == 1 else None
    return context.names.assigned(node)


def _method(node: ast.expr, name: str) -> ast.Call | None:
    """A call of a method."""
    is_call = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == name
    return node if is_call and isinstance(node, ast.Call) else None


def _owner(call: ast.Call) -> ast.expr:
    """What a method is called on."""
    assert isinstance(call.func, ast.Attribute)
    return call.func.value


def _each(target: ast.expr, func: ast.Attribute) -> str | None:
    """The name that a loop has each parameter by: ``p`` of ``p``, and of ``(name, p)`` with named ones."""
    if func.attr in _NAMED and isinstance(target, ast.Tuple) and len(target.elts) == 2:
        target = target.elts[1]
    elif func.attr not in _WHOLE:
        return None
    return target.id if isinstance(target, ast.Name) else None


def _plain(node: ast.expr) -> str | None:
    """``p`` of ``p.data``, and of ``p.detach()``."""
    bare = _bare(node)
    return bare.id if isinstance(bare, ast.Name) else None


def _bare(node: ast.expr) -> ast.expr:
    while True:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _SAME:
            node = node.func.value
        elif isinstance(node, ast.Attribute) and node.attr == "data":
            node = node.value
        else:
            return node
