"""Models and tensors of the device that a process is started with: ``Process(target=f, args=(net,))``."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.facts.forked import arguments_of, target_of
from xlaport.facts.roles import Role
from xlaport.wording import Text

from ..._lib.one_line import one_line
from ..._lib.shapes.saying import say
from ..._lib.step.module_moves import is_moved


def given_to_process(context: Context, call: ast.Call) -> tuple[ast.expr, Text] | None:
    """The first model or tensor of the device among what a process is started with, and what is said of it."""
    target = target_of(context.view.own, call)
    given = next((value for value in arguments_of(call) if _is_on_device(context, value)), None)
    if target is None or given is None:
        return None
    return given, say("XP416.process", name=one_line(context, given), target=one_line(context, target))


def _is_on_device(context: Context, value: ast.expr) -> bool:
    fact = context.roles.of(value)
    if fact is None or fact.role is Role.TENSOR:
        return fact is not None and not fact.assumed
    return fact.role is Role.MODEL and is_moved(context, value)
