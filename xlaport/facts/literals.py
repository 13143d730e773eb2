"""Numbers that are written as such, with their sign."""

from __future__ import annotations

import ast


def number(node: ast.expr | None) -> int | float | None:
    """The number that is written; None for anything else, and for truth values."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        found = number(node.operand)
        return -found if found is not None else None
    if not isinstance(node, ast.Constant) or isinstance(node.value, bool):
        return None
    return node.value if isinstance(node.value, int | float) else None


def integer(node: ast.expr | None) -> int | None:
    """The number that is written, if it is a whole one."""
    found = number(node)
    return found if isinstance(found, int) else None
