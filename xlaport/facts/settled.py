"""Branches that no call of a function takes: the ``if pad:`` of a function that each call gives ``pad=False``."""

from __future__ import annotations

import ast

from xlaport.analysis.folding import is_plain, truth
from xlaport.analysis.value import NONE, UNKNOWN, Value
from xlaport.facts.branch_callers import parameter_of
from xlaport.facts.program import Facts
from xlaport.facts.role import is_none
from xlaport.facts.structure import Structure


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
    """What a condition on variables is for all calls of its function; None where they differ, or cannot be told."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        inner = _settled(facts, structure, test.operand)
        return None if inner is None else not inner
    if isinstance(test, ast.BoolOp):
        parts = {_settled(facts, structure, value) for value in test.values}
        decides = isinstance(test.op, ast.Or)
        return decides if decides in parts else None if None in parts else not decides
    if isinstance(test, ast.Compare) and is_none(test.comparators[0]) and isinstance(test.ops[0], ast.Is | ast.IsNot):
        given = _given(facts, structure, test.left)
        is_known = given.type == NONE or (given.constant is not None and not given.is_optional)
        return (given.type == NONE) is isinstance(test.ops[0], ast.Is) if is_known else None
    return truth(_given(facts, structure, test)) if is_plain(test) else None


def _given(facts: Facts, structure: Structure, node: ast.expr) -> Value:
    """What an expression is; of a parameter that all calls in sight leave out, None, though others may give it."""
    value = structure.value(facts, node) or UNKNOWN
    if not value.is_unknown or not isinstance(node, ast.Name) or (function := parameter_of(facts, node)) is None:
        return value
    found = structure.analysis(facts).function_at(function)
    cell = found.given.get(node.id) if found is not None else None
    return value if cell is None or cell.value is None else cell.value
