"""A condition asks the host first, and the device only where that does not decide."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.facts.names import How
from xlaport.rule import Replace

from ..._lib.comments import has_comment


def host_first(context: Context, test: ast.expr) -> Replace | None:
    """``DEBUG and x.isnan().any()`` for ``x.isnan().any() and DEBUG``."""
    if not isinstance(test, ast.BoolOp) or not isinstance(test.op, ast.And) or not context.editable(test):
        return None
    known = [value for value in test.values if _is_plain(context, value)]
    if not known or test.values[0] in known or has_comment(context, test):
        return None
    ordered = [*known, *(value for value in test.values if value not in known)]
    text = " and ".join(_operand(context, value) for value in ordered)
    return Replace(context.span(test), text)


def _is_plain(context: Context, node: ast.expr) -> bool:
    """``DEBUG``, ``not DEBUG``: a name that is given one constant, which nothing beside it changes."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        node = node.operand
    found = context.names.bindings(node) if isinstance(node, ast.Name) else ()
    if len(found) != 1 or found[0].elsewhere or found[0].how is not How.ASSIGN:
        return False
    return isinstance(found[0].value, ast.Constant)


def _operand(context: Context, node: ast.expr) -> str:
    text = context.module.segment(node)
    return f"({text})" if isinstance(node, ast.BoolOp | ast.IfExp | ast.Lambda | ast.NamedExpr) else text
