"""The calls that read a checkpoint, and what they say of where to."""

from __future__ import annotations

import ast

from xlaport.context import Context

LOADS = frozenset(
    {
        "torch.load",
        "torch.jit.load",
        "torch.hub.load_state_dict_from_url",
        "torch.utils.model_zoo.load_url",
    }
)
_POSITIONS = {
    "torch.load": 1,
    "torch.jit.load": 1,
    "torch.hub.load_state_dict_from_url": 2,
    "torch.utils.model_zoo.load_url": 2,
}
_NAMES = ("load_from_checkpoint", "load_state_dict_from_url")
"""The last part of what other libraries call the same."""


def is_load(context: Context, call: ast.Call) -> bool:
    """Whether a call is one of PyTorch's that read a checkpoint."""
    return context.resolve(call.func) in LOADS


def locations(context: Context, call: ast.Call) -> list[ast.expr]:
    """What a call gives for ``map_location``."""
    called = context.resolve(call.func) or ""
    is_method = isinstance(call.func, ast.Attribute) and call.func.attr == "load_from_checkpoint"
    is_known = called in LOADS or called.rpartition(".")[2] in _NAMES or is_method
    found = [k.value for k in call.keywords if k.arg == "map_location"] if is_known else []
    position = _POSITIONS.get(called)
    if position is not None and len(call.args) > position:
        found.append(call.args[position])
    return found


def is_plain(call: ast.Call) -> bool:
    """Whether a call shows all that it passes."""
    return not any(isinstance(a, ast.Starred) for a in call.args) and all(k.arg for k in call.keywords)


def keys_read(context: Context, call: ast.Call) -> frozenset[str]:
    """The keys, all of them constants, that the program reads of what a call loads."""
    parent = context.module.parents[call]
    values: list[ast.expr] = [call]
    if isinstance(parent, ast.Assign):
        values += [use for target in parent.targets for use in context.names.uses_of(target)]
    items = (context.module.parents[value] for value in values)
    slices = [i.slice for i in items if isinstance(i, ast.Subscript) and isinstance(i.ctx, ast.Load)]
    return frozenset(s.value for s in slices if isinstance(s, ast.Constant) and isinstance(s.value, str))
