"""Parentheses in the user's code: which expressions need some, and which stand around one."""

from __future__ import annotations

import ast
import re

from xlaport.context import Context
from xlaport.rule import Span

ATOMS = ast.Name | ast.Attribute | ast.Subscript | ast.Call
"""What a method can be called on as it stands."""
OPERANDS = ATOMS | ast.Constant | ast.List | ast.Dict | ast.Set | ast.Tuple
"""What needs none beside an operator."""


def factor(node: ast.expr, text: str) -> str:
    """The text of an expression as one that a method can be called on."""
    return text if isinstance(node, ATOMS) else f"({text})"


def atom(text: str) -> str:
    """The text of an expression as one that a method can be called on."""
    return factor(ast.parse(text, mode="eval").body, text)


def bare(text: str) -> str:
    """The text of an expression without the parentheses around all of it."""
    inner = text[1:-1]
    try:
        is_whole = text.startswith("(") and ast.dump(ast.parse(inner, mode="eval")) == ast.dump(
            ast.parse(text, mode="eval")
        )
    except SyntaxError:
        return text
    return inner if is_whole else text


def as_owner(context: Context, node: ast.expr) -> Span:
    """An expression with the parentheses that let it have a method, ``(a * 2).item()``, or be called."""
    span, text, parent = context.span(node), context.module.text, context.module.parents[node]
    is_owner = isinstance(parent, ast.Attribute) or (isinstance(parent, ast.Call) and parent.func is node)
    if is_owner and text[span.start - 1] + text[span.end] == "()":
        return Span(span.start - 1, span.end + 1)
    return span


def with_own_lines(context: Context, node: ast.expr) -> Span:
    """An expression with the parentheses around it that only let it stand on lines of its own."""
    span, text = context.span(node), context.module.text
    around = re.search(r"\([ \t]*\r?\n[ \t]*$", text[: span.start])
    behind = re.match(r"[ \t]*\r?\n[ \t]*\)", text[span.end :])
    if around is None or behind is None or not isinstance(context.module.parents[node], ast.Assign | ast.Return):
        return span
    return Span(around.start(), span.end + behind.end())
