"""What the steps give a module that another function made and handed on to them: sizes and numbers of the host.

A parameter of a ``forward()`` is a tensor of the device where nothing else is known. The calls of ``criterion``, a
parameter itself, are found by following the object from where its class makes it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.facts.names import Binding, How
from xlaport.facts.program import Facts
from xlaport.facts.role import Role
from xlaport.facts.roles import roles_of
from xlaport.facts.structure import CallSite, Class, Function, Structure
from xlaport.facts.vocabulary import MODULE_KEEPING_METHODS, MODULE_WRAPPERS, MOVING_METHODS

_OF_HOST = (Role.HOST_TENSOR, Role.NUMBER)
_MAX_DEPTH = 8


def is_given_by_host(facts: Facts, structure: Structure, node: ast.expr) -> bool:
    """Whether a value is a part of what a ``forward()`` gets, and every step that calls it gives it of the host."""
    return _is_of_host(facts, structure, node, 0)


def _is_of_host(facts: Facts, structure: Structure, node: ast.expr, depth: int) -> bool:
    root = _whole(node)
    found = facts.names.reaching(root) if root is not None and depth <= _MAX_DEPTH else ()
    return bool(found) and all(_is_bound_to_host(facts, structure, binding, depth) for binding in found)


def _whole(node: ast.expr) -> ast.Name | None:
    """``shapes`` of ``shapes[0][1]`` and of ``shapes.tolist()``; None where something is moved on the way."""
    while not isinstance(node, ast.Name):
        if isinstance(node, ast.Call):
            node = node.func
        elif isinstance(node, ast.Attribute | ast.Subscript):
            if isinstance(node, ast.Attribute) and node.attr in MOVING_METHODS:
                return None
            node = node.value
        else:
            return None
    return node


def _is_bound_to_host(facts: Facts, structure: Structure, binding: Binding, depth: int) -> bool:
    if binding.how in (How.ASSIGN, How.UNPACK) and binding.value is not None:
        return _is_of_host(facts, structure, binding.value, depth + 1)
    node = facts.module.function_of(binding.node) if binding.how is How.PARAMETER else None
    if node is None:
        return False
    function, owner = Function(facts, node), facts.module.parents[node]
    sites = structure.calls_to(function)
    if isinstance(owner, ast.ClassDef) and node.name == "forward":
        sites += _calls_of_made(structure, Class(facts, owner))
    given = [structure.given(site, function, binding.name) for site in dict.fromkeys(sites)]
    return bool(given) and all(
        value is not None and (roles_of(there).is_(value, *_OF_HOST) or _is_of_host(there, structure, value, depth + 1))
        for there, value in given
    )


def _calls_of_made(structure: Structure, owner: Class) -> Iterator[CallSite]:
    """The calls of the objects that a class makes."""
    seen: set[ast.expr] = set()
    for site in structure.made(owner):
        yield from _calls_of(structure, site.facts, site.node, seen, 0)


def _calls_of(
    structure: Structure, facts: Facts, node: ast.expr, seen: set[ast.expr], depth: int
) -> Iterator[CallSite]:
    """The calls of an object, from an expression that it is: through names, returns and arguments."""
    if node in seen or depth > _MAX_DEPTH:
        return
    seen.add(node)
    parent = facts.module.parents[node]
    next_ones: list[tuple[Facts, ast.expr]] = []
    if isinstance(parent, ast.Call) and parent.func is node:
        yield CallSite(facts, parent)
    elif isinstance(parent, ast.Call) and facts.names.resolve(parent.func) in MODULE_WRAPPERS:
        next_ones = [(facts, parent)]
    elif isinstance(parent, ast.Call | ast.keyword):
        next_ones = _passed(structure, facts, parent, node)
    elif isinstance(parent, ast.Attribute) and parent.attr in MODULE_KEEPING_METHODS:
        call = facts.module.parents[parent]
        next_ones = [(facts, call)] if isinstance(call, ast.Call) else []
    elif isinstance(parent, ast.Assign):
        names = [target for target in parent.targets if isinstance(target, ast.Name)]
        next_ones = [(facts, use) for target in names for use in facts.names.uses_of(target)]
    elif isinstance(parent, ast.Return):
        maker = facts.module.function(parent)
        sites = structure.calls_to(Function(facts, maker)) if maker is not None else []
        next_ones = [(site.facts, site.node) for site in sites]
    for there, use in next_ones:
        yield from _calls_of(structure, there, use, seen, depth + 1)


def _passed(
    structure: Structure, facts: Facts, parent: ast.Call | ast.keyword, node: ast.expr
) -> list[tuple[Facts, ast.expr]]:
    """The uses of the parameter that an argument is for."""
    call = facts.module.parents[parent] if isinstance(parent, ast.keyword) else parent
    function = structure.run_by(facts, call) if isinstance(call, ast.Call) else None
    if function is None or not isinstance(call, ast.Call):
        return []
    name = parent.arg if isinstance(parent, ast.keyword) else structure.parameter_of(call, function, node)
    scope = function.facts.names.scope_of(function.node)
    if name is None or scope is None:
        return []
    return [(function.facts, use) for use in function.facts.names.uses(scope, name)]
