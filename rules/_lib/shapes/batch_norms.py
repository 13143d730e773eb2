"""Modules whose BatchNorm would count rows that a mask leaves out, if they got all of them."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from xlaport.context import Context
from xlaport.facts.derived import Derived
from xlaport.facts.module import last_name
from xlaport.facts.origins import Origins
from xlaport.facts.program import Facts
from xlaport.facts.roles import Role, dotted
from xlaport.facts.structure import Class

from ..series import series
from .saying import say

_NORM = "BatchNorm"
_KEEPING = frozenset({"to", "cuda", "train", "eval"})
_MAX_DEPTH = 4


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
    structure = context.flow.structure
    spots = Origins(structure).of(context.view.own, func)
    if spots is None:
        owners = structure.instances_of(context.view.own, func)
        return _any(_of_class(context, owner, 0) for owner in owners) if owners else None
    return _any(_made(context, spot.facts, spot.node, 0) for spot in spots)


def _any(found: Iterable[bool | None]) -> bool | None:
    """True if one of them is true, None if one is not known."""
    values = list(found)
    return True if True in values else None if None in values else False


def _made(context: Context, facts: Facts, node: ast.AST, depth: int) -> bool | None:
    """What a call makes that gives a module, with the modules that it is given."""
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _KEEPING:
        node = node.func.value
    if not isinstance(node, ast.Call):
        return None
    owner = context.flow.structure.class_named(facts, node.func)
    if owner is not None:
        return _of_class(context, owner, depth + 1)
    name = facts.names.resolve(node.func) or ""
    if _NORM in name.rpartition(".")[2]:
        return True
    if not name.startswith("torch.nn."):
        return None
    given = [a.value if isinstance(a, ast.Starred) else a for a in node.args]
    return _any(_made(context, facts, a, depth) for a in given if name.endswith(("Sequential", "ModuleList")))


def _of_class(context: Context, owner: Class, depth: int) -> bool | None:
    """Whether a class of the project makes a BatchNorm, itself or by a class that it makes."""
    structure = context.flow.structure
    if depth > _MAX_DEPTH:
        return None
    found: list[bool | None] = []
    for base in structure.bases(owner):
        for node in ast.walk(base.node):
            if not isinstance(node, ast.Call):
                continue
            inner = structure.class_named(base.facts, node.func)
            last = last_name(node.func) or ""
            if inner is not None and inner != owner and structure.is_module(inner):
                found.append(_of_class(context, inner, depth + 1))
            elif _NORM in last:
                found.append(True)
            elif "norm" in last and base.facts.names.resolve(node.func) is None and last.endswith(("norm", "layer")):
                found.append(None)  # a layer that the caller chooses
    return _any(found)
