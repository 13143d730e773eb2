"""Models and tensors of the device that a process is started with: ``Process(target=f, args=(net,))``."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.facts.forked import arguments_of, target_of
from xlaport.facts.roles import Role, dotted

from ..one_line import one_line
from ..step import moves


def given_to_process(context: Context, call: ast.Call) -> ast.expr | None:
    """The first model or tensor of the device among what a process is started with."""
    if target_of(context.view.own, call) is None:
        return None
    return next((value for value in arguments_of(call) if _is_on_device(context, call, value)), None)


def message(context: Context, call: ast.Call, given: ast.expr) -> str:
    """What becomes of it, and what to do."""
    target, name = target_of(context.view.own, call), one_line(context, given)
    run = f"Call {one_line(context, target)}() in this process" if target is not None else "Do it in this process"
    return (
        f"{name} is on the device, whose memory processes cannot share: a process that is spawned with it raises "
        f"(RuntimeError: _share_fd_: only available on CPU), and one that is forked cannot use the device. {run}; or "
        f"start one process for each chip by torch_xla.launch(), and build {name} in each"
    )


def _is_on_device(context: Context, call: ast.Call, value: ast.expr) -> bool:
    fact = context.roles.of(value)
    if fact is None or fact.role is Role.TENSOR:
        return fact is not None and not fact.assumed
    name = dotted(value)
    if fact.role is not Role.MODEL or name is None:
        return False
    return moves.is_on_accelerator(context, context.module.statement(call), name) or moves.is_moved_when_made(
        context, value
    )
