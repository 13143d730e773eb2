"""Reads that run the whole graph of a step: ``output = model(x).cpu().numpy()`` of a script that only runs a model."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.facts.roles import Role
from xlaport.facts.steps import EarlyRead
from xlaport.facts.vocabulary import MOVING_METHODS
from xlaport.facts.work import Work


def reads_the_whole_step(context: Context, early: EarlyRead) -> bool:
    """Whether nothing is left for the barrier behind a read: it reads all that the step computes on the device.

    Of what is computed and not read, or named on the way, a part would still wait for the barrier.
    """
    loop = context.loops.around(early.statement)
    if loop is None or len(early.reads) != 1:
        return False
    if any(
        s is not early.statement and not _only_moves(context, s) for s in Work(context.loops).leaves(loop.node.body)
    ):
        return False
    read = early.reads[0]
    inside = set(ast.walk(read.node))
    tensors = (n for n in ast.walk(early.statement) if isinstance(n, ast.expr) and context.roles.is_(n, Role.TENSOR))
    return all(node in inside for node in tensors)


def _only_moves(context: Context, statement: ast.stmt) -> bool:
    """``x = x.to(device)``: a transfer, which is no part of a graph."""
    value = statement.value if isinstance(statement, ast.Assign) else None
    return isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr in MOVING_METHODS
