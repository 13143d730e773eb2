"""Taking arguments out of a call, several at once."""

from __future__ import annotations

import ast
from collections.abc import Collection

from xlaport.context import Context
from xlaport.rule import Edit, Replace, Span


def argument_span(context: Context, call: ast.Call, value: ast.expr) -> Span:
    """The range of an argument, with its ``name=``."""
    keyword = next((k for k in call.keywords if k.value is value), None)
    return context.span(keyword if keyword is not None else value)


def without(context: Context, call: ast.Call, gone: Collection[ast.expr]) -> list[Edit]:
    """The edits that take arguments out of a call whose first argument stays, from comma to comma."""
    values = [*call.args, *(keyword.value for keyword in call.keywords)]
    spans = sorted(argument_span(context, call, value) for value in values)
    removed = {argument_span(context, call, value) for value in gone}
    assert spans[0] not in removed
    edits: list[Edit] = []
    last = spans[0]
    start: int | None = None
    for span in spans[1:]:
        if span in removed:
            start = last.end if start is None else start
        elif start is not None:
            edits.append(Replace(Span(start, last.end), ""))
            start = None
        last = span
    if start is not None:
        edits.append(Replace(Span(start, last.end), ""))
    return edits
