"""Models and tensors of the device that a process is started with: ``Process(target=f, args=(net,))``."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.facts.forked import arguments_of, target_of
from xlaport.facts.roles import Role, dotted
from xlaport.wording import Text

from ..._lib.one_line import one_line
from ..._lib.shapes.saying import say
from ..._lib.step import moves


def given_to_process(context: Context, call: ast.Call) -> tuple[ast.expr, Text] | None:
    """The first model or tensor of the device among what a process is started with, and what is said of it."""
    target = target_of(context.view.own, call)
    given = next((value for value in arguments_of(call) if _is_on_device(context, call, value)), None)
    if target is None or given is None:
        return None
    return given, say("XP416.process", name=one_line(context, given), target=one_line(context, target))


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
