"""Copies that XLA does not make: `contiguous()`, `reshape(-1)` and `flatten()` give a view there."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.rule import Import, Replace, Span

from ..host_reads.device_values import torch_name

Copy = tuple[Replace, tuple[Import, ...]]


def copied(context: Context, node: ast.expr, *, of_expanded: bool = False) -> Copy | None:
    """The edit that makes a copy of what ``x.contiguous()`` gives; None where its text is not that simple.

    A clone of an expanded tensor is contiguous by itself.
    """
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or not context.editable(node):
        return None
    if context.resolve(node.func) is not None:
        return None
    end = context.span(node).end
    if node.func.attr != "contiguous":
        return Replace(Span(context.span(node).start, end), f"{context.module.segment(node)}.clone()"), ()
    if node.args or node.keywords:
        return None
    format_, imports = ("", ()) if of_expanded else torch_name(context, "contiguous_format", node)
    start = context.module.text.rindex("contiguous", context.span(node.func.value).end, end)
    return Replace(Span(start, end), f"clone(memory_format={format_})" if format_ else "clone()"), imports
