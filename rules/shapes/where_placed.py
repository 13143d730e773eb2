"""What a message says where nothing shows that a tensor lies on the device: in one form, for all rules."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.facts.role import Role
from xlaport.facts.roles import dotted

from ..one_line import one_line

_SHORT = 40


def where_placed(context: Context, tensor: ast.expr) -> str:
    """``where x lies on the device, `` as the begin of a message, for what is only assumed to lie there."""
    fact = context.roles.of(tensor)
    if fact is None or fact.role is not Role.TENSOR or not fact.assumed:
        return ""
    names = [n for n in ast.walk(tensor) if isinstance(n, ast.Name | ast.Attribute) and _is_assumed(context, n)]
    text = dotted(names[0]) if names else one_line(context, tensor)
    return f"where {text if text and len(text) <= _SHORT else 'the tensor'} lies on the device, "


def _is_assumed(context: Context, node: ast.expr) -> bool:
    fact = context.roles.of(node)
    return fact is not None and fact.role is Role.TENSOR and fact.assumed
