"""The arguments of a call: what is given, and the edit that gives one more."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

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


def given(call: ast.Call, parameters: Sequence[str]) -> dict[str, ast.expr] | None:
    """What a call passes, by the names of the parameters, which are in their order; None where that is not plain."""
    is_hidden = any(isinstance(argument, ast.Starred) for argument in call.args) or len(call.args) > len(parameters)
    if is_hidden or any(keyword.arg not in parameters for keyword in call.keywords):
        return None
    return dict(zip(parameters, call.args, strict=False)) | {k.arg: k.value for k in call.keywords if k.arg}
