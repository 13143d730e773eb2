"""Scripts that make their models and tensors themselves, and put none of them on a device: they run on the CPU."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.facts.device_choice import chooses_device
from xlaport.facts.used_code import used

from .main_guard import main_guard


def runs_what_it_makes(context: Context) -> bool:
    """Whether a script that nobody imports builds its models, and neither it nor what it uses chooses a device."""
    if context.view.is_alone or context.view.importers or main_guard(context) is None:
        return False
    if not context.loops.steps_anywhere or not any(_makes_model(context, call) for call in context.module.calls):
        return False
    own = context.view.own
    if any(chooses_device(own, node) for node in context.module.nodes):
        return False
    return not any(chooses_device(facts, n) for facts, node in used(own) for n in ast.walk(node))


def _makes_model(context: Context, call: ast.Call) -> bool:
    """``Net()`` and ``Net.pretrained()`` of a module of the project."""
    structure, own = context.flow.structure, context.view.own
    named = [call.func, call.func.value] if isinstance(call.func, ast.Attribute) else [call.func]
    found = [structure.class_named(own, node) for node in named]
    return any(c is not None and structure.is_module(c) for c in found)
