"""Parts of a tensor that are changed in place, which is lost where a tensor of places takes them: that is a copy."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.facts.names import How

from ..host_reads.lasting import changes

_TAKING = (ast.Attribute, ast.Subscript, ast.Call)


def is_changed_in_place(context: Context, node: ast.expr) -> bool:
    """``x[i].zero_()``, ``x[i][j] = v``, ``row = x[i]`` and ``row += v``, ``init.zeros_(x[i])``, ``out=x[i]``."""
    used: ast.expr = node
    parent = context.module.parents[used]
    while isinstance(parent, _TAKING):
        if isinstance(parent, ast.Call):
            if parent.func is not used:
                return _writes(parent)
        elif parent.value is not used or (isinstance(parent, ast.Attribute) and parent.attr == "clone"):
            return False
        elif not isinstance(parent.ctx, ast.Load) or (isinstance(parent, ast.Attribute) and _is_in_place(parent.attr)):
            return True
        used, parent = parent, context.module.parents[parent]
    if isinstance(parent, ast.keyword):
        return parent.arg == "out"
    if isinstance(parent, ast.AugAssign):
        return parent.target is used
    if not isinstance(parent, ast.Assign) or used is not parent.value or not isinstance(parent.targets[0], ast.Name):
        return False
    target = parent.targets[0]
    home = context.names.home(target)
    return home is None or any(changes(context, use) for use in context.names.uses(home, target.id)) or any(
        binding.how is How.AUGMENT for binding in context.names.bindings(target)
    )  # fmt: skip


def _writes(call: ast.Call) -> bool:
    """Whether a function writes to what it gets, by its name."""
    func = call.func
    return _is_in_place(func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", ""))


def _is_in_place(name: str) -> bool:
    return name.endswith("_") and not name.endswith("__")
