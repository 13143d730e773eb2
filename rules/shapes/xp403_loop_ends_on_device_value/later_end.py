"""A training that ends where it is good enough may as well end a few iterations later."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.facts.module import LoopNode, last_name
from xlaport.facts.roles import Role
from xlaport.facts.running import is_begun_once
from xlaport.rule import Edit

from ..._lib.counting import counted_by, is_one_more, most_passes
from ..._lib.now_and_then import asked_now_and_then
from ..._lib.shapes.fixed_form import tells

EVERY = 16
_LESS, _GREATER = (ast.Lt, ast.LtE), (ast.Gt, ast.GtE)
_CHECKING = frozenset({"isnan", "isinf", "isfinite"})


def later_end(context: Context, loop: LoopNode, node: ast.If) -> tuple[Edit, ...]:
    """The edits by which ``if loss < limit: break`` looks in every 16th iteration only; none where that is too late.

    The loop has another end, and its iterations are counted from its begin to its end: in one that begins anew with
    each epoch, a short epoch would hardly ever ask. What ends since it goes wrong, at NaN or above a limit, would go
    wrong until then.
    """
    *telling, last = node.body
    if not isinstance(last, ast.Break) or node.orelse or not all(tells(context, s) for s in telling):
        return ()
    if not isinstance(loop, ast.For) or loop.orelse or not context.steps.only_asks(node):
        return ()
    if not is_begun_once(context.flow.structure, context.view.own, loop) or last_number(context, loop) is not None:
        return ()
    passes = most_passes(context, loop)
    if _goes_wrong(context, node.test) or (passes is not None and passes <= EVERY):
        return ()
    return asked_now_and_then(context, node, EVERY)


def last_number(context: Context, loop: LoopNode) -> str | None:
    """``i in line 9``, where the number of the last iteration is read after the loop."""
    counted = [statement.target for statement in loop.body
               if isinstance(statement, ast.AugAssign) and is_one_more(statement)]  # fmt: skip
    for counter in (counted_by(context, loop), *counted):
        if not isinstance(counter, ast.Name) or loop.end_lineno is None:
            continue
        for use in context.names.uses(context.names.scope(loop), counter.id):
            reaching = context.names.reaching(use)
            if use.lineno > loop.end_lineno and any(loop in context.module.ancestors(b.node) for b in reaching):
                return f"{counter.id} in line {context.line(use)}"
    return None


def _goes_wrong(context: Context, test: ast.expr) -> bool:
    """Whether a loop ends by a value that is too large, ``kl > limit``, or by none that is small: ``loss.isnan()``."""
    read = {read.node for read in context.reads.within([test])}

    def is_asked(side: ast.expr) -> bool:
        parts = (node for node in ast.walk(side) if isinstance(node, ast.expr))
        return any(part in read or context.roles.is_(part, Role.TENSOR) for part in parts)

    compared = [node for node in ast.walk(test) if isinstance(node, ast.Compare)]
    for node in compared:
        sides = [node.left, node.comparators[-1]]
        if isinstance(node.ops[0], _LESS):
            sides.reverse()
        greater, less = sides
        if isinstance(node.ops[0], (*_LESS, *_GREATER)) and is_asked(greater) and not is_asked(less):
            return True
    return not compared and any(last_name(node) in _CHECKING for node in ast.walk(test) if isinstance(node, ast.expr))
