"""The device that a loop brings its batches to."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.facts.spot import Spot

from ..device import cuda
from . import plain_loader


def destination(node: ast.expr) -> ast.expr | None:
    """The device of a call that does nothing but move: ``x.to(device, non_blocking=True)``."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or node.func.attr != "to":
        return None
    if any(k.arg not in ("device", "non_blocking") for k in node.keywords) or len(node.args) > 1:
        return None
    devices = [*node.args, *(k.value for k in node.keywords if k.arg == "device")]
    return devices[0] if len(devices) == 1 else None


def is_accelerator(context: Context, node: ast.expr) -> bool:
    """Whether an expression is the accelerator on every path: the wrapper copies to nothing else."""
    found = [spot for spot in plain_loader.origins(context, node) or () if not _is_idle(context, spot)]
    return bool(found) and all(_names_accelerator(context, spot) for spot in found)


def _is_idle(context: Context, spot: Spot) -> bool:
    """What another file chooses where there is no accelerator: that branch goes, or never runs any more."""
    return spot.facts is not context.view.own and cuda.is_without_accelerator(context.of(spot.facts), spot.node)


def _names_accelerator(context: Context, spot: Spot) -> bool:
    """The target's own device: what is still CUDA in this file becomes it before this rule has its turn."""
    node = spot.node
    if isinstance(node, ast.Constant):
        return bool(node.value == context.target.device_type)
    if spot.facts is not context.view.own and cuda.becomes_accelerator(context.of(spot.facts), node):
        return True
    if not isinstance(node, ast.Call):
        return False
    called = spot.facts.names.resolve(node.func)
    if called == "torch.device" and len(node.args) == 1:
        return _names_accelerator(context, Spot(spot.facts, node.args[0]))
    return called in context.target.devices
