"""The methods that run while an object is made: what their names stand for, as ways from that object."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from xlaport.facts.classes import default
from xlaport.facts.names import How
from xlaport.facts.structure import CallSite, Class, Function

from .instances import stripped


@dataclass(frozen=True, eq=False)
class Frame:
    """One run of a method while an object is made: what its names stand for, seen from that object."""

    owner: Class
    function: Function
    prefix: str
    """The way from the object to ``self``: ``.decoder``; empty for the object's own methods."""
    call: CallSite | None
    """What runs it; None where that is not known."""
    outer: Frame | None
    """What the call stands in; None where that is no part of the object's making."""

    @property
    def me(self) -> str | None:
        """What the method calls its object."""
        arguments = self.function.node.args
        first = [*arguments.posonlyargs, *arguments.args][:1]
        return first[0].arg if first else None


def path(frame: Frame, node: ast.expr) -> str | None:
    """The way from the object to what an expression stands for: ``.encoder.weight``; None where it is no part of it."""
    if isinstance(node, ast.Attribute):
        base = path(frame, node.value)
        return f"{base}.{node.attr}" if base is not None and node.attr != "_parameters" else base
    if isinstance(node, ast.Subscript):
        base = path(frame, node.value)
        if base is None or not isinstance(node.slice, ast.Constant):
            return f"{base}[…]" if base is not None else None
        if isinstance(node.value, ast.Attribute) and node.value.attr == "_parameters":
            return f"{base}.{node.slice.value!s}"
        return f"{base}[{node.slice.value!r}]"
    if not isinstance(node, ast.Name):
        return None
    if node.id == frame.me:
        return frame.prefix
    given = argument(frame, node.id)
    if given is not None:
        return path(given[1], given[0]) if given[1] is not None else None
    return _local(frame, node)


def _local(frame: Frame, node: ast.Name) -> str | None:
    """The way to what a local name stands for: ``emb = self.encoder``, or ``self.encoder = emb``."""
    facts = frame.function.facts
    found = facts.names.bindings(node)
    if len(found) != 1 or found[0].value is None:
        return None
    if facts.module.function(found[0].node) is not frame.function.node:
        return None
    if found[0].how is How.FOR and facts.module.parents[found[0].node] is facts.module.statement(found[0].node):
        base = path(frame, found[0].value)
        return f"{base}[…]" if base is not None else None
    if found[0].how is not How.ASSIGN:
        return None
    value = stripped(found[0].value)
    if not isinstance(value, ast.Call):
        return path(frame, value)
    stored = [
        target
        for statement in facts.module.that_run(frame.function.node.body, ast.Assign)
        if isinstance(statement.value, ast.Name) and statement.value.id == node.id
        for target in statement.targets
        if isinstance(target, ast.Attribute)
    ]
    return path(frame, stored[0]) if stored else None


def argument(frame: Frame, name: str) -> tuple[ast.expr, Frame | None] | None:
    """What the call passes for a parameter, or its default, and the frame whose names that is written in."""
    node = frame.function.node
    names = [arg.arg for arg in [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]]
    if name not in names or name == frame.me:
        return None
    if frame.call is None:
        return None
    call = frame.call.node
    given = argument_of(frame.call, frame.function, name)
    if given is not None:
        return given, frame.outer
    if any(isinstance(a, ast.Starred) for a in call.args) or any(k.arg is None for k in call.keywords):
        return None
    value = default(node.args, name)
    return (value, frame) if value is not None and isinstance(value, ast.Constant) else None


def argument_of(site: CallSite, function: Function, name: str) -> ast.expr | None:
    """The expression that a call passes for a parameter of a method that it runs for an object."""
    for keyword in site.node.keywords:
        if keyword.arg == name:
            return keyword.value
    positional = [arg.arg for arg in [*function.node.args.posonlyargs, *function.node.args.args]][1:]
    if name not in positional:
        return None
    index = positional.index(name)
    if index >= len(site.node.args) or any(isinstance(a, ast.Starred) for a in site.node.args[: index + 1]):
        return None
    return site.node.args[index]
