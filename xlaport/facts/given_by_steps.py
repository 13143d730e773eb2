"""What the steps give a module that another function made and handed on to them: sizes and numbers of the host.

A parameter of a ``forward()`` is taken for a tensor of the device, though somebody may try it with one of the host.
"""

from __future__ import annotations

import ast

from xlaport.facts.names import Binding, How
from xlaport.facts.passed import passed_to_any
from xlaport.facts.program import Facts
from xlaport.facts.role import Role
from xlaport.facts.roles import roles_of
from xlaport.facts.structure import Structure
from xlaport.facts.vocabulary import MOVING_METHODS

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
    given = passed_to_any(structure, facts, binding) if binding.how is How.PARAMETER else []
    return bool(given) and all(
        value is not None and (roles_of(there).is_(value, *_OF_HOST) or _is_of_host(there, structure, value, depth + 1))
        for there, value in given
    )
