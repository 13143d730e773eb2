"""Loops over the batches of one step that may have one pass alone: the barrier of the step is enough for it."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from xlaport.context import Context
from xlaport.facts.loops import ADDS, StepLoop
from xlaport.facts.steps import Cut, Side


def condition(context: Context, loop: StepLoop, cuts: Sequence[Cut]) -> str:
    """``n > 1`` for the barrier at the end of a loop over ``range(n)`` of which nobody knows n; else empty."""
    count, body = _count(context, loop), loop.node.body
    is_plain = [cut.side for cut in cuts] == [Side.AFTER] and cuts[0].statement in body
    if count is None or not is_plain or context.reads.within(body):
        return ""
    return f"{context.module.segment(count)} > 1"


def asks(context: Context, loop: StepLoop, test: ast.expr) -> bool:
    """Whether a test is that condition."""
    count = _count(context, loop)
    return count is not None and ast.unparse(test) == f"{ast.unparse(count)} > 1"


def _count(context: Context, loop: StepLoop) -> ast.expr | None:
    turns = loop.node.iter if loop.because == ADDS and isinstance(loop.node, ast.For) else None
    if not isinstance(turns, ast.Call) or context.resolve(turns.func) != "builtins.range" or len(turns.args) != 1:
        return None
    return turns.args[0] if isinstance(turns.args[0], ast.Name | ast.Attribute) else None
