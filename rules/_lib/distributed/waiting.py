"""Collectives that are begun and waited for later: ``work = dist.all_reduce(x, async_op=True)``, ``work.wait()``.

On XLA, all of them only note what is to be done, and the graph runs as a whole: there is nothing to wait for.
"""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.rule import RemoveArgument, Replace, Span

from ..removal import removal
from . import names
from .part import Part


def at_once(part: Part, call: ast.Call, later: ast.expr) -> bool:
    """Write a collective as one that waits, and take out who waits for it; False where the work goes elsewhere."""
    context = part.context
    statement = context.module.parents[call]
    keyword = next((k for k in call.keywords if k.value is later), None)
    if keyword is None or not (isinstance(later, ast.Constant) and later.value is True):
        return False
    if isinstance(statement, ast.Assign):
        target = statement.targets[0]
        waits = _waits(context, target) if len(statement.targets) == 1 and isinstance(target, ast.Name) else None
        if waits is None:
            return False
        part.edits.append(Replace(Span(context.span(statement).start, context.span(call).start), ""))
        part.edits += [edit for wait in waits if (edit := removal(context, wait)) not in part.edits]
    elif not isinstance(statement, ast.Expr):
        return False
    if context.resolve(call.func) != names.REDUCE_TO_ONE:  # (which is written anew as a whole)
        part.edits.append(RemoveArgument(context.span(call), context.span(keyword)))
    return True


def _waits(context: Context, work: ast.Name) -> list[ast.stmt] | None:
    """The statements that wait for what a name stands for; None where something else is done with it."""
    parents = context.module.parents
    if any(b.value is None or not _is_begun(b.value) for b in context.names.bindings(work)):
        return None
    found: list[ast.stmt] = []
    for use in context.names.uses(context.names.scope(work), work.id):
        attribute = parents[use]
        called = parents[attribute]
        statement = parents[called] if isinstance(called, ast.Call) and called.func is attribute else None
        if not isinstance(attribute, ast.Attribute) or attribute.attr != "wait" or not isinstance(statement, ast.Expr):
            return None
        found.append(statement)
    return found


def _is_begun(value: ast.expr) -> bool:
    return isinstance(value, ast.Call) and any(k.arg == "async_op" for k in value.keywords)
