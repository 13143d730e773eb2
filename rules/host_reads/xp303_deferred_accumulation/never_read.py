"""Sums and lists that a loop fills and nobody reads: what fills them goes, with its read of the device."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.rule import RemoveStatement

from ..._lib.host_reads.accumulation import Deferral
from ..._lib.host_reads.fillings import Filling, Form

_LOOKING = ("size", "dim", "numel", "detach")
"""Methods of tensors that compute nothing."""


def is_never_read(context: Context, found: Deferral) -> bool:
    """Whether nothing reads a sum or a list, and what is added to it is there without it."""
    if found.form not in (Form.SUM, Form.LIST) or found.reading.uses or found.reading.behind:
        return False
    home = context.names.home(found.fillings[0].before)
    own = {filling.before for filling in found.fillings}
    if home is None or not own.issuperset(context.names.uses(home, found.name)):
        return False
    return all(_does_nothing_else(context, filling) for filling in found.fillings)


def without(context: Context, found: Deferral) -> Iterator[RemoveStatement]:
    """The edits that take out what fills a sum or a list, and what begins it."""
    for filling in found.fillings:
        yield RemoveStatement(context.span(filling.statement))
    for start in found.starts:
        statement = context.module.statement(start.node)
        if isinstance(statement, ast.Assign) and [start.node] == statement.targets:
            yield RemoveStatement(context.span(statement))


def _does_nothing_else(context: Context, filling: Filling) -> bool:
    """Whether the statement runs nothing but its reads, and what looks at tensors."""
    reads = {read.node for read in filling.reads}
    statement = filling.statement
    append = statement.value if isinstance(statement, ast.Expr) else None
    for node in ast.walk(statement):
        if isinstance(node, ast.NamedExpr | ast.Await | ast.Yield | ast.YieldFrom):
            return False
        if not isinstance(node, ast.Call) or node is append or node in reads:
            continue
        func = node.func
        looks = isinstance(func, ast.Attribute) and func.attr in _LOOKING and context.resolve(func) is None
        if not looks and context.resolve(func) not in ("builtins.len", "builtins.float", "builtins.int"):
            return False
    return True
