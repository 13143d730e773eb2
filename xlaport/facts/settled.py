"""Branches that no call of a function takes: the ``if pad:`` of a function that each call gives ``pad=False``."""

from __future__ import annotations

import ast

from xlaport.facts.branch_callers import parameter_of
from xlaport.facts.program import Facts
from xlaport.facts.role import is_none
from xlaport.facts.structure import Function, Structure


def is_never_taken(facts: Facts, structure: Structure, node: ast.AST) -> bool:
    """Whether an expression stands in a branch of its function that all calls of the project pass by."""
    child = node
    for parent in facts.module.ancestors(node):
        if isinstance(parent, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            return False
        if isinstance(parent, ast.IfExp | ast.If) and child is not parent.test:
            body = parent.body if isinstance(parent.body, list) else [parent.body]
            holds = _settled(facts, structure, parent.test)
            if holds is not None and holds is not any(child is part for part in body):
                return True
        child = parent
    return False


def _settled(facts: Facts, structure: Structure, test: ast.expr) -> bool | None:
    """What a condition is for all calls of its function; None where they differ, or cannot be told."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        inner = _settled(facts, structure, test.operand)
        return None if inner is None else not inner
    if isinstance(test, ast.BoolOp):
        parts = {_settled(facts, structure, value) for value in test.values}
        decides = isinstance(test.op, ast.Or)
        return decides if decides in parts else None if None in parts else not decides
    if isinstance(test, ast.Compare) and is_none(test.comparators[0]) and isinstance(test.ops[0], ast.Is | ast.IsNot):
        values = given(facts, structure, test.left)
        found = {(value is None) is isinstance(test.ops[0], ast.Is) for value in values}
    elif isinstance(test, ast.Compare) and len(test.ops) == 1:
        found = _compared(given(facts, structure, test.left), test.ops[0], test.comparators[0])
    else:
        found = {bool(value) for value in given(facts, structure, test)}
    return found.pop() if len(found) == 1 else None


def _compared(values: list[object], operator: ast.cmpop, other: ast.expr) -> set[bool]:
    """What ``mode == "mean"`` and ``mode in ("mean", "sum")`` are for each of the values; nothing for the rest."""
    if isinstance(operator, ast.Eq | ast.NotEq) and isinstance(other, ast.Constant):
        return {(value == other.value) is isinstance(operator, ast.Eq) for value in values}
    if isinstance(operator, ast.In | ast.NotIn) and isinstance(other, ast.Tuple | ast.List | ast.Set):
        known = [element.value for element in other.elts if isinstance(element, ast.Constant)]
        if len(known) == len(other.elts):
            return {(value in known) is isinstance(operator, ast.In) for value in values}
    return set()


def given(facts: Facts, structure: Structure, node: ast.expr) -> list[object]:
    """The constants that the calls of a function pass for a parameter of it; none where one of them is not known."""
    function = parameter_of(facts, node) if isinstance(node, ast.Name) else None
    if function is None or not isinstance(node, ast.Name):
        return []
    called = Function(facts, function)
    values = [structure.given(site, called, node.id)[1] for site in structure.calls_to(called)]
    constants: list[object] = [value.value for value in values if isinstance(value, ast.Constant)]
    return constants if len(constants) == len(values) else []
