"""Modules that move their parts to the device, and not themselves: a trainer that counts its steps in a buffer."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.analysis.definitions import Class
from xlaport.facts.module import last_name
from xlaport.facts.vocabulary import MOVING_METHODS, PREPARING


def may_stay(kind: Class) -> bool:
    """Whether a module moves parts of itself and is nothing that is called: unless somebody moves it, it stays."""
    return kind.method("forward") is None and any(_moves_a_part(each.node) for each in kind.line())


def related(kind: Class) -> Iterator[Class]:
    """A class with those that it derives from, and those that derive from it."""
    yield from kind.line()
    todo, met = list(kind.heirs), {kind}
    while todo:
        heir = todo.pop()
        if heir not in met:
            met.add(heir)
            yield heir
            todo += heir.heirs


def _moves_a_part(owner: ast.ClassDef) -> bool:
    """``self.net.to(device)`` as a statement, which does nothing to a tensor, and ``prepare(self.net)``."""
    return any(
        isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name) and part.value.id == "self"
        for node in ast.walk(owner)
        for part in _moved(node)
    )


def _moved(node: ast.AST) -> list[ast.expr]:
    match node:
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=part, attr=name))) if name in MOVING_METHODS:
            return [part]
        case ast.Call(func=func, args=arguments) if last_name(func) in PREPARING:
            return arguments
    return []
