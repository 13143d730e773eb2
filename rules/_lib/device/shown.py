"""Where a value is only shown: printed, logged, formatted."""

from __future__ import annotations

import ast

from xlaport.context import Context

_SHOWS = frozenset({"builtins.print", "builtins.str", "builtins.repr", "warnings.warn"})
_LOG_METHODS = frozenset({"info", "warning", "debug", "error", "log", "format", "critical", "exception"})


def is_shown(context: Context, node: ast.expr) -> bool:
    """Whether a value is an argument of `print` or of a logger, or a part of a formatted text."""
    parent = context.module.parents[node]
    if isinstance(parent, ast.FormattedValue):
        return True
    if isinstance(parent, ast.Tuple | ast.keyword):
        parent = context.module.parents[parent]
    if isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.Mod):
        return isinstance(parent.left, ast.Constant) and isinstance(parent.left.value, str)
    if not isinstance(parent, ast.Call) or node is parent.func:
        return False
    is_log = isinstance(parent.func, ast.Attribute) and parent.func.attr in _LOG_METHODS
    return is_log or context.resolve(parent.func) in _SHOWS
