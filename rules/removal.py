"""Taking out a statement that has lost its meaning, and with it an ``if`` that guarded nothing else."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.rule import RemoveStatement

_HARMLESS = frozenset(
    f"builtins.{name}" for name in "str int float bool len isinstance hasattr getattr repr format max min".split()
)

_ASKS = frozenset(["startswith", "endswith", "get", "lower", "upper", "strip", "split"])
"""Methods that only ask."""


def removal(context: Context, statement: ast.stmt) -> RemoveStatement:
    """The edit that removes a statement, or the ``if`` around it that would be left empty."""
    while True:
        parent = context.module.parents[statement]
        if not (
            isinstance(parent, ast.If)
            and parent.body == [statement]
            and not parent.orelse
            and is_effect_free(context, parent.test)
            and not _is_elif(context, parent)
        ):
            return RemoveStatement(context.span(statement))
        statement = parent


def is_effect_free(context: Context, *nodes: ast.AST) -> bool:
    """Whether nothing would be missed if some expressions were not evaluated."""
    for part in (part for node in nodes for part in ast.walk(node)):
        if isinstance(part, ast.Await | ast.NamedExpr | ast.Yield | ast.YieldFrom):
            return False
        if isinstance(part, ast.Call):
            called = context.resolve(part.func) or ""
            if isinstance(part.func, ast.Attribute) and part.func.attr in _ASKS:
                continue
            if called not in _HARMLESS and not called.startswith(("torch.cuda.is_", "torch.cuda.device_count")):
                return False
    return True


def _is_elif(context: Context, statement: ast.If) -> bool:
    return context.module.text.startswith("elif", context.span(statement).start)
