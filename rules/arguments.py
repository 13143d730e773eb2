"""The edit that gives a call one argument more."""

from __future__ import annotations

import ast
import re

from xlaport.context import Context
from xlaport.rule import Replace, Span

_CLOSING = re.compile(r"#[^\n]*|\)")


def with_argument(context: Context, call: ast.Call, argument: str) -> Replace:
    """Add an argument, ``name=value``, behind the last one of a call that has some."""
    last = max([*call.args, *call.keywords], key=lambda node: context.span(node).end)
    text, span, end = context.module.text, context.span(last), context.span(call).end
    if span.end == end:  # a generator alone stands between the parentheses of the call
        return Replace(span, f"({text[span.start : end]}, {argument})")
    closing = [match for match in _CLOSING.finditer(text, span.end, end) if match[0] == ")"]
    # ``f((x))``: all of them but the last are the argument's own.
    whole = Span(span.start, closing[-2].end() if len(closing) > 1 else span.end)
    return Replace(whole, f"{text[whole.start : whole.end]}, {argument}")
