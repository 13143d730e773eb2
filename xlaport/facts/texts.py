"""The strings that an expression stands for: its own, those of a display, or of the constant that it names."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.facts.names import How, Scope
from xlaport.facts.program import Facts
from xlaport.facts.reach import is_text
from xlaport.facts.spot import Spot
from xlaport.facts.structure import Structure

_MAX_DEPTH = 4
_COLLECTIONS = frozenset({"builtins.tuple", "builtins.list", "builtins.set", "builtins.frozenset", "builtins.sorted"})
_LITERAL = frozenset({"typing.Literal", "typing_extensions.Literal"})


def texts(structure: Structure, facts: Facts, node: ast.expr, depth: int = 0) -> Iterator[Spot]:
    """The string constants that an expression is, holds, or names, in whatever file they are."""
    if is_text(node):
        yield Spot(facts, node)
    elif depth > _MAX_DEPTH:
        return
    elif isinstance(node, ast.Tuple | ast.List | ast.Set):
        for element in node.elts:
            yield from texts(structure, facts, element, depth + 1)
    elif isinstance(node, ast.BinOp):
        for part in (node.left, node.right):  # lists that are put together; a text would only be a part of one
            yield from () if is_text(part) else texts(structure, facts, part, depth + 1)
    elif isinstance(node, ast.Call):
        if facts.names.resolve(node.func) in _COLLECTIONS and node.args:
            yield from texts(structure, facts, node.args[0], depth + 1)
    elif isinstance(node, ast.Name | ast.Attribute):
        for there, value in _named(structure, facts, node):
            yield from texts(structure, there, value, depth + 1)


def literals(structure: Structure, facts: Facts, annotation: ast.expr, depth: int = 0) -> Iterator[Spot]:
    """The strings of each ``Literal[…]`` in an annotation, or in the alias that it names."""
    for node in ast.walk(annotation):
        if isinstance(node, ast.Subscript) and facts.names.resolve(node.value) in _LITERAL:
            yield from texts(structure, facts, node.slice)
        elif isinstance(node, ast.Name | ast.Attribute) and depth <= _MAX_DEPTH:
            for there, value in _named(structure, facts, node):
                yield from literals(structure, there, value, depth + 1)


def declared(structure: Structure, facts: Facts, scope: Scope, name: str) -> Iterator[Spot]:
    """The strings of each ``Literal[…]`` that a name of a scope is annotated with."""
    for binding in scope.bindings.get(name, ()):
        holder = binding.node if isinstance(binding.node, ast.arg) else facts.module.parents.get(binding.node)
        annotation = holder.annotation if isinstance(holder, ast.arg | ast.AnnAssign) else None
        if annotation is not None:
            yield from literals(structure, facts, annotation)


def _named(structure: Structure, facts: Facts, node: ast.Name | ast.Attribute) -> list[tuple[Facts, ast.expr]]:
    """The value of a constant: a name that is bound once, in this file or another, or an attribute of a class."""
    place = structure.place(facts, node)
    if place is not None:
        other = structure.view.facts(place.file) if not place.rest else None
        found = other.names.root.bindings.get(place.name or "", []) if other is not None else []
        there = other or facts
    elif isinstance(node, ast.Name):
        found, there = list(facts.names.bindings(node)), facts
    else:
        owner = structure.class_named(facts, node.value)
        scope = owner.facts.names.scope_of(owner.node) if owner is not None else None
        found = scope.bindings.get(node.attr, []) if scope is not None else []
        there = owner.facts if owner is not None else facts
    if len(found) != 1 or found[0].how is not How.ASSIGN or found[0].value is None:
        return []
    return [(there, found[0].value)]
