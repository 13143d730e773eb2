"""Parts of a tensor that are changed in place, which is lost where a tensor of places takes them: that is a copy."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.facts.in_place import changes, whole_view
from xlaport.facts.names import Binding, How


def is_changed_in_place(context: Context, node: ast.expr) -> bool:
    """``x[i].zero_()``, ``x[i][j] = v``, ``row = x[i]`` and ``row += v``, ``init.zeros_(x[i])``, ``out=x[i]``."""
    own = context.view.own
    if changes(own, node):
        return True
    parent = context.module.parents[whole_view(own, node)]
    target = parent.targets[0] if isinstance(parent, ast.Assign) else None
    if not isinstance(target, ast.Name):
        return False
    return any(changes(own, use) for use in context.names.uses_of(target)) or any(
        _is_added_to(context, binding, target) for binding in context.names.bindings(target)
    )


def _is_added_to(context: Context, binding: Binding, target: ast.Name) -> bool:
    """``row += 1``"""
    if binding.how is not How.AUGMENT or not isinstance(binding.node, ast.Name):
        return False
    return any(before.node is target for before in context.names.reaching(binding.node))
