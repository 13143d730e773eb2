"""Modules whose BatchNorm would count rows that a mask leaves out, if they got all of them."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from xlaport.analysis.events import objects_of
from xlaport.analysis.order import whole
from xlaport.analysis.value import UNKNOWN, Site
from xlaport.context import Context
from xlaport.facts.derived import Derived
from xlaport.facts.program import Facts
from xlaport.facts.roles import Role, dotted
from xlaport.facts.structure import Structure

from ..series import series
from .saying import say

_NORM = "BatchNorm"


def counted(context: Context, selected: Iterable[ast.expr]) -> str:
    """A sentence about the modules with a BatchNorm that get what was selected, or may; empty where none does."""
    found: dict[str, bool | None] = {}
    for node in selected:
        derived, function = Derived(context.view.own, node), context.module.function(node)
        for call in context.module.calls:
            name = dotted(call.func)
            if name is None or name in found or context.module.function(call) is not function:
                continue
            if _is_module(context, call.func) and any(derived.has(argument) for argument in call.args):
                found[name] = _of_module(context, call.func)
    names = [f"`{name}`" for name, has in found.items() if has is not False]
    return say.phrase("batch_norms", names=series(names)) if names else ""


def _is_module(context: Context, func: ast.expr) -> bool:
    structure = context.flow.structure
    owners = structure.instances_of(context.view.own, func)
    return context.roles.is_(func, Role.MODEL) or any(structure.is_module(owner) for owner in owners)


def _of_module(context: Context, func: ast.expr) -> bool | None:
    """Whether what is called has a BatchNorm somewhere; None where that cannot be seen."""
    own, structure = context.view.own, context.flow.structure
    objects = objects_of(structure.value(own, func) or UNKNOWN)
    found = {_is_norm(structure, own, site) for site in whole(objects, structure.analysis(own).parts)}
    return True if True in found else None if None in found or not objects else False


def _is_norm(structure: Structure, facts: Facts, site: Site) -> bool | None:
    """Whether a module, without its parts, is one; None where nothing says what makes it."""
    made = structure.made_there(facts, site)
    if made is None:
        return None
    if structure.classes_named(made.facts, made.node.func):
        return False
    name = made.facts.names.resolve(made.node.func)
    return _NORM in name.rpartition(".")[2] if name is not None else None
