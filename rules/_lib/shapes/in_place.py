"""Parts of a tensor that are changed in place, which is lost where a tensor of places takes them: that is a copy."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.facts.names import Binding, How
from xlaport.facts.role import Role

from ..host_reads.lasting import changes

_TAKING_TENSORS = frozenset(
    "add_ sub_ mul_ div_ copy_ lerp_ addcmul_ addcdiv_ masked_fill_ masked_scatter_ index_add_ index_copy_ index_fill_ "
    "index_put_ scatter_ scatter_add_ logical_and_ logical_or_ clamp_ pow_".split()
)
"""Methods that write to their own tensor, and not to those that they get."""
_TAKING = (ast.Attribute, ast.Subscript, ast.Call)


def is_changed_in_place(context: Context, node: ast.expr) -> bool:
    """``x[i].zero_()``, ``x[i][j] = v``, ``row = x[i]`` and ``row += v``, ``init.zeros_(x[i])``, ``out=x[i]``."""
    used: ast.expr = node
    parent = context.module.parents[used]
    while isinstance(parent, _TAKING):
        if isinstance(parent, ast.Call):
            if parent.func is not used:
                return _writes(context, parent, used)
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
    return any(_is_changed(context, use) for use in context.names.uses_of(target)) or any(
        _is_added_to(context, binding, target) for binding in context.names.bindings(target)
    )


def _is_changed(context: Context, use: ast.Name) -> bool:
    """Whether a use of a name changes what it stands for."""
    parent = context.module.parents[use]
    if isinstance(parent, ast.Call) and parent.func is not use:
        return _writes(context, parent, use)
    return changes(context, use)


def _is_added_to(context: Context, binding: Binding, target: ast.Name) -> bool:
    """``row += 1``"""
    if binding.how is not How.AUGMENT or not isinstance(binding.node, ast.Name):
        return False
    return any(before.node is target for before in context.names.reaching(binding.node))


def _writes(context: Context, call: ast.Call, argument: ast.expr) -> bool:
    """Whether a function writes to what it gets, by its name: ``init.zeros_(x)``, and not ``y.masked_fill_(x, 0)``."""
    if any(k.arg == "inplace" for k in call.keywords):
        return True
    func = call.func
    if not _is_in_place(func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")):
        return False
    if isinstance(func, ast.Attribute) and context.resolve(func) is None:
        is_tensor = context.roles.is_(func.value, Role.TENSOR) or func.attr in _TAKING_TENSORS
        return not is_tensor
    return bool(call.args) and call.args[0] is argument


def _is_in_place(name: str) -> bool:
    return name.endswith("_") and not name.endswith("__")
