"""What the calls of a function pass for a parameter, or its default, each with the file that it is in.

It is None where that is not sure, ``f(*args)``. There is nothing for a lambda, and for what nobody calls.
"""

from __future__ import annotations

import ast

from xlaport.facts.names import Binding
from xlaport.facts.program import Facts
from xlaport.facts.structure import CallSite, Class, Function, Structure

Passed = list[tuple[Facts, ast.expr | None]]


def passed(structure: Structure, facts: Facts, parameter: Binding) -> Passed:
    """By the calls that name the function."""
    node = facts.module.function_of(parameter.node)
    if node is None:
        return []
    function = Function(facts, node)
    return _given(structure, structure.calls_to(function), function, parameter)


def passed_to_any(structure: Structure, facts: Facts, parameter: Binding) -> Passed:
    """The same, for a `forward()` also by the calls of its object, ``model(x)``."""
    node = facts.module.function_of(parameter.node)
    if node is None:
        return []
    function, owner = Function(facts, node), facts.module.parents[node]
    sites = structure.calls_to(function)
    if isinstance(owner, ast.ClassDef) and node.name == "forward":
        sites += structure.calls_of_objects(Class(facts, owner))
    return _given(structure, sites, function, parameter)


def _given(structure: Structure, sites: list[CallSite], function: Function, parameter: Binding) -> Passed:
    return [structure.given(site, function, parameter.name) for site in sites]
