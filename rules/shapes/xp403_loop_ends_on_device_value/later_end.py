"""A training that ends where it is good enough may as well end a few iterations later."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.facts.module import LoopNode
from xlaport.rule import Edit

from ..._lib.now_and_then import asked_now_and_then, counted_by, is_begun_once
from ..._lib.shapes.fixed_form import tells

EVERY = 16


def later_end(context: Context, loop: LoopNode, node: ast.If) -> tuple[Edit, ...]:
    """The edits by which ``if loss < limit: break`` looks in every 16th iteration only; none where that is too late.

    The loop has another end, and its iterations are counted from its begin to its end: in one that begins anew with
    each epoch, a short epoch would hardly ever ask.
    """
    *telling, last = node.body
    if not isinstance(last, ast.Break) or node.orelse or not all(tells(context, s) for s in telling):
        return ()
    if not isinstance(loop, ast.For) or loop.orelse or not context.steps.only_asks(node):
        return ()
    if not is_begun_once(context, loop) or last_number(context, loop) is not None:
        return ()
    return asked_now_and_then(context, node, EVERY)


def last_number(context: Context, loop: LoopNode) -> str | None:
    """``i in line 9``, where the number of the last iteration is read after the loop."""
    counter = counted_by(context, loop)
    if counter is None or loop.end_lineno is None:
        return None
    for use in context.names.uses(context.names.scope(loop), counter.id):
        reaching = context.names.reaching(use)
        if use.lineno > loop.end_lineno and any(loop in context.module.ancestors(b.node) for b in reaching):
            return f"{counter.id} in line {context.line(use)}"
    return None
