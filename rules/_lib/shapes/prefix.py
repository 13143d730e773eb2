"""The last place of a prefix `x[:, :step]`: it is another one in each step, and not the last of all places."""

from __future__ import annotations

import ast

from xlaport.context import Context

from ..parentheses import atom
from .last_place import instead, last_reads
from .places import Place
from .saying import say


def end(context: Context, place: Place) -> str:
    """Reads of the last place, where all places are used instead of the first ones: a sentence, or nothing."""
    node = place.node
    if not isinstance(node, ast.Subscript) or place.construct.place != "stop" or not isinstance(node.ctx, ast.Load):
        return ""
    loop, function = context.step_code.counting_loop(node), context.module.function(node)
    statements = loop.body if loop is not None else function.body if function is not None else []
    reads = last_reads(context, statements, lambda part: part is node, place.axis)
    if not reads:
        return ""
    told = instead(context, reads, _last(context, place), node)
    parts = (say.phrase("instead", new=new, old=old, line=line) for new, old, line in told)
    return f" {say.phrase('last', instead='; '.join(parts))}"


def _last(context: Context, place: Place) -> str:
    """The last place of the prefix, as a tensor of one element on `{device}`."""
    if place.change.is_tensor and isinstance(place.number, ast.Name | ast.Call):
        return f"{atom(place.change.name)}.view(1) - 1"
    number = place.number
    text = context.module.segment(number)
    if isinstance(number, ast.BinOp) and isinstance(number.op, ast.Add):
        one = isinstance(number.right, ast.Constant) and number.right.value == 1
        last = context.module.segment(number.left) if one else f"{text} - 1"
    else:
        last = f"{text} - 1" if isinstance(number, ast.Name | ast.Attribute | ast.Call) else f"({text}) - 1"
    return f"torch.tensor([{last}], device={{device}})"
