"""The two parts of a statement that reads: what stays where it is, and what is put off."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.facts.late_reads import Form, LateRead
from xlaport.rule import Edit, Replace, ReplaceStatement


def put_off(context: Context, late: LateRead, detached: bool = False) -> tuple[Edit, str]:
    """The edit that leaves the device's part where it is, and the statement that reads later.

    `detached`: the device's part gives up its gradient, since the tensor is kept for longer than the step.
    """
    statement, span = context.span(late.statement), context.span(late.read.node)
    text = context.module.segment(late.statement)
    tensor = context.module.segment(late.read.tensor)
    start, end = span.start - statement.start, span.end - statement.start
    name = late.target if late.form is Form.SAME_NAME else _new_name(context, late)
    if not isinstance(late.read.tensor, ast.Call | ast.Subscript | ast.Name) and ("\n" in tensor or detached):
        tensor = f"({tensor})"
    if detached:
        tensor += ".detach()"
    later = text[:start] + _reading(context, late, name) + text[end:]
    if late.form is Form.SAME_NAME:
        return Replace(span, tensor), later
    return ReplaceStatement(statement, f"{name} = {tensor}"), later


def _reading(context: Context, late: LateRead, name: str) -> str:
    """The reading expression with a name in the place of what it reads."""
    node, tensor = late.read.node, context.span(late.read.tensor)
    whole = context.span(node)
    before, after = context.module.text[whole.start : tensor.start], context.module.text[tensor.end : whole.end]
    func = node.func if isinstance(node, ast.Call) else None
    if isinstance(func, ast.Attribute) and func.value is late.read.tensor and "#" not in after:
        # `(a == b).cpu()`: a name needs no parentheses.
        before, after = "", after[after.index(".") :]
    return before + name + after


def _new_name(context: Context, late: LateRead) -> str:
    stem = late.target.removeprefix("total_").removeprefix("running_").removeprefix("sum_")
    for name in (f"batch_{stem}", f"step_{stem}", f"{stem}_on_device"):
        if context.names.is_free(name, late.statement):
            return name
    number = 2
    while not context.names.is_free(f"batch_{stem}_{number}", late.statement):
        number += 1
    return f"batch_{stem}_{number}"
