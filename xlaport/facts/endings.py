"""Loop endings: where a value decides whether a loop goes on."""

from __future__ import annotations

import ast

from xlaport.facts.frequency import is_now_and_then, is_on_every_pass
from xlaport.facts.module import LoopNode, Module


def ended_loop(module: Module, node: ast.expr) -> LoopNode | None:
    """The loop that an expression ends, if it is asked in every pass: in the ``while``, or the ``if`` of a ``break``.

    In ``if n % 16 == 0 and done.all(): break`` it is asked now and then only.
    """
    child: ast.AST = node
    for parent in module.ancestors(node):
        if isinstance(parent, ast.BoolOp) and isinstance(parent.op, ast.And):
            index = next(i for i, value in enumerate(parent.values) if value is child)
            if any(is_now_and_then(value) for value in parent.values[:index]):
                return None
        if isinstance(parent, ast.While) and parent.test is child:
            return parent
        if isinstance(parent, ast.If) and parent.test is child and _leaves(parent):
            loop = _left_from(module, parent)
            return loop if loop is not None and is_on_every_pass(module, loop, parent) else None
        if isinstance(parent, ast.stmt | ast.Lambda | ast.comprehension):
            return None
        child = parent
    return None


def may_end_loop(module: Module, node: ast.While | ast.If) -> bool:
    """Whether the condition of a statement can end a loop."""
    return isinstance(node, ast.While) or (_leaves(node) and _left_from(module, node) is not None)


def _left_from(module: Module, branch: ast.If) -> LoopNode | None:
    for parent in module.ancestors(branch):
        if isinstance(parent, LoopNode):
            return parent
        if isinstance(parent, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            return None
    return None


def _leaves(branch: ast.If) -> bool:
    """Whether one side of an ``if`` ends with a ``break`` or a ``return``."""
    return any(side and isinstance(side[-1], ast.Break | ast.Return) for side in (branch.body, branch.orelse))
