"""Texts that people read, and that no code goes by."""

from __future__ import annotations

import ast

from xlaport.context import Context

_SHOWN_BY = frozenset({"builtins.print", "builtins.exit", "sys.exit", "warnings.warn"})
_LOG_METHODS = frozenset("info warning warn debug error critical exception log write add_text title set_title".split())
_KEYWORDS = frozenset("help description epilog name label title metavar dest extra doc reason".split())
_PARTS = (ast.JoinedStr, ast.FormattedValue, ast.BinOp, ast.BoolOp, ast.IfExp, ast.Tuple, ast.Starred, ast.Attribute)


def is_for_people(context: Context, node: ast.expr) -> bool:
    """Whether a text, or the text that it is a part of, is printed, logged, raised, or a help text."""
    below: ast.AST = node
    for parent in context.module.ancestors(node):
        if isinstance(parent, ast.Call):
            raised = isinstance(context.module.parents[parent], ast.Raise)
            if below in parent.args and (raised or _shows(context, parent.func)):
                return True
            if not (isinstance(parent.func, ast.Attribute) and parent.func.attr in ("format", "join")):
                return False
        elif isinstance(parent, ast.keyword):
            return parent.arg in _KEYWORDS
        elif isinstance(parent, ast.Assert):
            return below is parent.msg
        elif isinstance(parent, ast.stmt):
            return isinstance(parent, ast.Raise | ast.Expr)
        elif not isinstance(parent, _PARTS):
            return False
        below = parent
    return False


def _shows(context: Context, func: ast.expr) -> bool:
    if isinstance(func, ast.Attribute) and func.attr in _LOG_METHODS:
        return True
    name = context.resolve(func) or (func.id if isinstance(func, ast.Name) else "")
    return name in _SHOWN_BY or name.endswith(("Error", "Exception", "Warning", "Exit"))


def is_key(context: Context, node: ast.expr) -> bool:
    """Whether a text only looks something up: a key of a dict, or what stands in brackets."""
    parent = context.module.parents[node]
    return (isinstance(parent, ast.Dict) and node in parent.keys) or (
        isinstance(parent, ast.Subscript) and parent.slice is node
    )
