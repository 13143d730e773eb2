"""Masks that lie on the host on some way, beside a tensor of the device: an index takes them, `masked_fill_` raises."""

from __future__ import annotations

import ast

from xlaport.analysis.value import UNKNOWN, Device
from xlaport.context import Context


def may_lie_apart(context: Context, mask: ast.expr, tensor: ast.expr) -> bool:
    """Whether a mask is moved to the device on some ways alone, and not where its tensor is.

    One of the host may index a tensor of the device. As an operand, next to it, it raises (torch_xla 2.9, measured).
    """
    devices = [(context.flow.structure.value(context.view.own, node) or UNKNOWN).device for node in (mask, tensor)]
    return devices[0] is Device.EITHER and devices[1] is not Device.EITHER
