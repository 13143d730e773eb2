"""The values that a list holds, where all that fills it is in sight."""

from __future__ import annotations

import ast

from xlaport.facts.module import Module
from xlaport.facts.names import How, Names

_KEEPING = frozenset("sort reverse pop clear index count copy".split())
"""Methods of a list that put nothing into it."""


def listed(module: Module, names: Names, node: ast.expr) -> list[ast.expr] | None:
    """What a display, or a local list, is made of and what is appended to it; None where it may hold anything else.

    ``res`` of ``res = []``, ``for k in topk: res.append(correct[:k].sum())``, ``return res``; of
    ``[correct[:k].sum() for k in topk]``, what stands for each of its values.
    """
    if isinstance(node, ast.Tuple | ast.List):
        return None if any(isinstance(value, ast.Starred) for value in node.elts) else node.elts
    if not isinstance(node, ast.Name):
        return None
    found = names.reaching(node)
    values: list[ast.expr] = []
    for binding in found:
        if binding.how is How.ASSIGN and isinstance(binding.value, ast.ListComp):
            values.append(binding.value.elt)
        elif binding.how is How.ASSIGN and isinstance(binding.value, ast.List):
            values += binding.value.elts
        else:
            return None
    home = names.home(node)
    if not found or home is None or any(isinstance(value, ast.Starred) for value in values):
        return None
    for use in names.uses(home, node.id):
        if not any(binding in found for binding in names.reaching(use)):
            continue  # the name stands for something else there
        added = _added(module, names, use)
        if added is None:
            return None
        values += added
    return values


def _added(module: Module, names: Names, use: ast.Name) -> list[ast.expr] | None:
    """What one use of a list puts into it; None where that is not known."""
    parent = module.parents[use]
    if isinstance(parent, ast.Attribute):
        call = module.parents[parent]
        if not isinstance(call, ast.Call) or call.func is not parent:
            return None
        if parent.attr == "append" and len(call.args) == 1:
            return list(call.args)
        return [] if parent.attr in _KEEPING else None
    if isinstance(parent, ast.Subscript) and parent.value is use:
        return [] if isinstance(parent.ctx, ast.Load) else None
    if isinstance(parent, ast.Call):
        return [] if (names.resolve(parent.func) or "").startswith(("builtins.", "torch.")) else None
    return [] if isinstance(parent, ast.Return | ast.For | ast.comprehension | ast.Starred) else None
