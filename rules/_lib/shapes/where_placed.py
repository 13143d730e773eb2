"""What a message says where nothing shows that a tensor lies on the device: in one form, for all rules."""

from __future__ import annotations

import ast

from xlaport.analysis.value import Device
from xlaport.context import Context
from xlaport.facts.role import OUTPUT, Role
from xlaport.facts.roles import dotted
from xlaport.facts.vocabulary import MOVING_METHODS, PREPARING

from ..main_guard import main_guard
from ..one_line import one_line
from .saying import say

_SHORT = 40
_PLACING = frozenset({"device", "device_map", "gpus", "accelerator", "cuda"})
"""Keywords by which a library is told where to put what it makes."""


def if_placed(context: Context, tensor: ast.expr) -> str:
    """`` (if `x` is on the TPU)`` as the end of a message, for what is only assumed to be there."""
    name = _assumed_name(context, tensor)
    return say.phrase("if_placed", name=f"`{name}`" if name else "it") if name is not None else ""


def _assumed_name(context: Context, tensor: ast.expr) -> str | None:
    if not _is_assumed(context, tensor):
        return None
    names = [n for n in ast.walk(tensor) if isinstance(n, ast.Name | ast.Attribute) and _is_assumed(context, n)]
    text = dotted(names[0]) if names else one_line(context, tensor)
    return text if text and len(text) <= _SHORT else ""


def _is_assumed(context: Context, node: ast.expr) -> bool:
    fact = context.roles.of(node)
    if fact is None or fact.role is not Role.TENSOR:
        return False
    value = context.flow.structure.value(context.view.own, node)
    is_either = value is not None and value.device is Device.EITHER
    return fact.assumed or is_either or (OUTPUT in fact.because and _is_left_where_made(context))


def _is_left_where_made(context: Context) -> bool:
    """Whether a script that nobody imports moves nothing: what its models give lies where the models were made."""
    return context.view.own.once("left where made", lambda: _moves_nothing(context))


def _moves_nothing(context: Context) -> bool:
    if context.view.is_alone or context.view.importers or main_guard(context) is None:
        return False
    return not any(_moves(context, call) for call in context.module.calls)


def _moves(context: Context, call: ast.Call) -> bool:
    """Whether a call moves something, places it where it makes it, or chooses where all are made."""
    if any(keyword.arg in _PLACING for keyword in call.keywords):
        return True
    name = context.resolve(call.func) or ""
    if "default_device" in name or "default_tensor_type" in name:
        return True
    return isinstance(call.func, ast.Attribute) and call.func.attr in MOVING_METHODS | PREPARING
