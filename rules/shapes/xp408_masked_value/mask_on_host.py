"""A mask of sizes and numbers alone, made on the host: an index by it has a known number of places, and asks nobody."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.facts.roles import TENSORS, dotted
from xlaport.facts.true_counts import TrueCounts
from xlaport.rule import Edit, RemoveArgument, Replace, Span

from ..._lib.shapes.selection import Selection

_PLACING = ("to", "cuda")


def moved_to_host(context: Context, selections: list[Selection]) -> list[Edit] | None:
    """The edits that leave such a mask on the host; None where it is another one, or used for more than an index."""
    count = TrueCounts(context.view.own).of(selections[0].mask)
    if count is None or count.index is not None or count.passed or count.like:
        return None
    if not all(selected.is_index for selected in selections):
        return None
    mask = _plain(selections[0].mask)
    made = mask
    if isinstance(mask, ast.Name):
        value, bound = context.names.assigned(mask), context.names.reaching(mask)[0].node
        uses = context.names.uses_of(bound) if isinstance(bound, ast.Name) else []
        if value is None or not uses or not all(_is_index(context, use) for use in uses):
            return None
        made = value
    if any(_is_tensor(context, node) for node in ast.walk(made)):
        return None
    return _edits(context, made)


def _plain(mask: ast.expr) -> ast.expr:
    """``mask`` of ``~mask``."""
    is_inverted = isinstance(mask, ast.UnaryOp) and isinstance(mask.op, ast.Invert)
    return mask.operand if isinstance(mask, ast.UnaryOp) and is_inverted else mask


def _is_index(context: Context, use: ast.expr) -> bool:
    """``x[mask]`` and ``x[~mask]``, read and not written."""
    parent = context.module.parents[use]
    if isinstance(parent, ast.UnaryOp) and isinstance(parent.op, ast.Invert):
        use, parent = parent, context.module.parents[parent]
    return isinstance(parent, ast.Subscript) and parent.slice is use and isinstance(parent.ctx, ast.Load)


def _is_tensor(context: Context, node: ast.AST) -> bool:
    """Whether a tensor that lies elsewhere takes part, and not only its size or its device."""
    if (
        not isinstance(node, ast.Name | ast.Attribute)
        or dotted(node) is None
        or context.roles.role(node) not in TENSORS
    ):
        return False
    parent = context.module.parents[node]
    return not isinstance(parent, ast.Attribute) or parent.attr not in ("shape", "size", "device", "dtype")


def _edits(context: Context, made: ast.expr) -> list[Edit] | None:
    edits: list[Edit] = []
    for call in (node for node in ast.walk(made) if isinstance(node, ast.Call)):
        if not context.editable(call):
            return None
        place = next((keyword for keyword in call.keywords if keyword.arg == "device"), None)
        func = call.func
        if isinstance(func, ast.Attribute) and func.attr in _PLACING and context.resolve(func) is None:
            where = place.value if place is not None else next(iter(call.args), None)
            if where is not None and (context.resolve(where) or "").startswith("torch.") and place is None:
                continue  # a dtype
            start = context.span(func).end - len(func.attr) - 1
            if len(call.args) + len(call.keywords) > 1 or context.module.text[start] != ".":
                return None
            edits.append(Replace(Span(start, context.span(call).end), ""))
        elif place is not None:
            edits.append(RemoveArgument(context.span(call), context.span(place)))
    return edits or None
