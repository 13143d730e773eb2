"""Where the arguments of a call stand."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.rule import Span


def argument_span(context: Context, call: ast.Call, value: ast.expr) -> Span:
    """The range of an argument, with its ``name=``."""
    keyword = next((k for k in call.keywords if k.value is value), None)
    return context.span(keyword if keyword is not None else value)
