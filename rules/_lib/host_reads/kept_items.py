"""Numbers that steps read into a dict of their object, and that are looked at between the steps alone, in any file.

``self.stats["error"] = error.item()`` in each step, ``self.stats[key]`` in a log behind the loop: whoever looks makes a
number of it, tensor or not. So each file comes to its edits by itself.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from xlaport.context import Context
from xlaport.facts.held import Kind
from xlaport.facts.role import Role
from xlaport.facts.structure import Class

from .device_values import DeviceValue, device_value
from .lifetimes import lasts


@dataclass(frozen=True)
class KeptItems:
    """What a file has to do with such a dict: the numbers that its steps put there, and where others look at one."""

    name: str
    puts: tuple[DeviceValue, ...]
    looks: tuple[ast.Subscript, ...]


def kept_items(context: Context) -> Iterator[KeptItems]:
    """The dicts of objects that a file puts numbers into, or looks at."""
    for name, found in context.module.attributes.items():
        owners = {owner for node in found if (owner := _owner(context, node)) is not None}
        for owner in owners:
            if (kept := _kept(context, owner, name)) is not None:
                yield kept


def _owner(context: Context, node: ast.Attribute) -> Class | None:
    """The class around ``self.stats[…]``."""
    if not isinstance(context.module.parents[node], ast.Subscript) or not isinstance(node.value, ast.Name):
        return None
    owner = context.names.self_class(node.value)
    return Class(context.view.own, owner) if owner is not None else None


def _kept(context: Context, owner: Class, name: str) -> KeptItems | None:
    structure, own = context.flow.structure, context.view.own
    puts: list[DeviceValue] = []
    looks: list[ast.Subscript] = []
    is_put = False
    for facts in structure.files_with(owner, name):
        there = context.of(facts)
        for node in facts.module.attributes[name]:
            related = isinstance(node.value, ast.Name) and there.names.self_class(node.value)
            if not related or not structure.is_related(Class(facts, related), owner):
                return None  # somebody else's, or one of the same name
            parent = facts.module.parents[node]
            if isinstance(parent, ast.Subscript) and parent.value is node and isinstance(parent.ctx, ast.Store):
                put = _put(there, parent)
                is_put = is_put or put is not None
                if put is None and facts is not own:
                    return None
                if put is not None and facts is own:
                    puts.append(put)
                elif put is None and not _is_tensor_by_now(there, parent):
                    return None
            elif isinstance(parent, ast.Subscript) and parent.value is node and isinstance(parent.ctx, ast.Load):
                if there.step_code.in_step(parent):
                    return None
                if facts is own and not _is_number(there, parent):
                    looks.append(parent)
            elif not _is_made_or_gone_through(there, node):
                return None
    return KeptItems(name, tuple(puts), tuple(looks)) if is_put or puts else None


def _put(context: Context, target: ast.Subscript) -> DeviceValue | None:
    """The float that a step reads into an item, and nothing but it."""
    statement = context.module.parents[target]
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1 or not context.step_code.in_step(target):
        return None
    reads = context.reads.within([statement.value])
    value = device_value(context, context.tensors, reads[0]) if reads else None
    function = context.module.function(target)
    if value is None or value.node is not statement.value or value.held.kind is not Kind.FLOAT or function is None:
        return None
    is_kept = value.held.is_scalar and lasts(context, value.tensor, function)
    return value if is_kept else None


def _is_tensor_by_now(context: Context, target: ast.Subscript) -> bool:
    """Whether a file keeps a tensor there already, in the text that it has by now."""
    statement = context.module.parents[target]
    return isinstance(statement, ast.Assign) and context.roles.is_(statement.value, Role.TENSOR)


def _is_number(context: Context, look: ast.Subscript) -> bool:
    parent = context.module.parents[look]
    return isinstance(parent, ast.Call) and context.resolve(parent.func) == "builtins.float"


def _is_made_or_gone_through(context: Context, node: ast.Attribute) -> bool:
    """``self.stats = {}``, ``for key in self.stats:``, ``key in self.stats``."""
    parent = context.module.parents[node]
    if isinstance(parent, ast.Assign):
        value = parent.value
        is_call = isinstance(value, ast.Call) and context.resolve(value.func) == "builtins.dict"
        empty = is_call and not value.args and not value.keywords if isinstance(value, ast.Call) else False
        return node in parent.targets and (empty or (isinstance(value, ast.Dict) and not value.keys))
    if isinstance(parent, ast.For):
        return parent.iter is node
    return isinstance(parent, ast.Compare) and all(isinstance(op, ast.In | ast.NotIn) for op in parent.ops)
