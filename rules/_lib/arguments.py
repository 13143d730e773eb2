"""The arguments of a call: which stands for which parameter, where it stands, and the edit that gives one more."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from itertools import takewhile

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


def argument_span(context: Context, call: ast.Call, value: ast.expr) -> Span:
    """The range of an argument, with its ``name=``."""
    keyword = next((k for k in call.keywords if k.value is value), None)
    return context.span(keyword if keyword is not None else value)


def by_parameter(call: ast.Call, parameters: Sequence[str]) -> dict[str, ast.expr]:
    """What a call passes, by the names of the parameters, which are in their order; not what ``*`` and ``**`` hide."""
    plain = takewhile(lambda argument: not isinstance(argument, ast.Starred), call.args)
    return dict(zip(parameters, plain, strict=False)) | {k.arg: k.value for k in call.keywords if k.arg}


def hides_arguments(call: ast.Call) -> bool:
    """Whether a call passes something behind a ``*`` or ``**``."""
    return any(isinstance(a, ast.Starred) for a in call.args) or any(k.arg is None for k in call.keywords)


def given(call: ast.Call, parameters: Sequence[str]) -> dict[str, ast.expr] | None:
    """The same as `by_parameter`, where that is all that a call passes; else None."""
    found = by_parameter(call, parameters)
    is_all = len(call.args) <= len(parameters) and found.keys() <= {*parameters}
    return found if is_all and not hides_arguments(call) else None


def may_give(call: ast.Call, parameters: Sequence[str], parameter: str) -> bool:
    """Whether a call passes an argument for a parameter, or may pass one behind a ``*`` or ``**``."""
    in_order = [a for a in call.args if isinstance(a, ast.Starred)] if parameter in parameters else []
    by_name = [k for k in call.keywords if k.arg is None]
    return bool(in_order or by_name) or parameter in by_parameter(call, parameters)
