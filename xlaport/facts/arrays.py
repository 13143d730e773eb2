"""NumPy's arrays, which lie on the host."""

from __future__ import annotations

import ast

from xlaport.facts.literals import number
from xlaport.facts.program import Facts
from xlaport.facts.structure import Function

_MAX_DEPTH = 4


def gives_array(function: Function) -> bool:
    """Whether all that a function returns is an array: ``np.array(counts) / 8``."""
    module = function.facts.module
    values = [node.value for node in module.returns(function.node)]
    if not values or module.yields(function.node):
        return False
    return all(value is not None and is_array(function.facts, value) for value in values)


def is_array(facts: Facts, node: ast.expr, depth: int = 0) -> bool:
    """Whether an expression is what a function of NumPy gives, or what is computed of such and of numbers."""
    if depth > _MAX_DEPTH:
        return False
    if isinstance(node, ast.Name):
        value = facts.names.assigned(node)
        return value is not None and is_array(facts, value, depth + 1)
    if isinstance(node, ast.BinOp):
        sides = [side for side in (node.left, node.right) if number(side) is None]
        return bool(sides) and all(is_array(facts, side, depth + 1) for side in sides)
    return isinstance(node, ast.Call) and (facts.names.resolve(node.func) or "").startswith("numpy.")
