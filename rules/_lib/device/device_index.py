"""Numbers that stand for a device: ``x.to(0)``, ``x.to(rank)``, ``torch.zeros(3, device=self.gpu_id)``."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from xlaport.context import Context
from xlaport.facts.flow import SinkKind
from xlaport.facts.roles import TENSORS, Role, dotted

from .device_groups import is_a_stranger_s

_RANKS = frozenset(
    "rank local_rank global_rank gpu_id gpu_idx gpu_index gpu_rank device_id device_idx device_index cuda_id "
    "local_process_index local_gpu".split()
)
"""What only a number is called."""
_NUMBERS = frozenset({"builtins.int", "torch.distributed.get_rank"})
"""Calls that give a number: ``x.to(int(os.environ["LOCAL_RANK"]))``."""
_LISTS = frozenset("gpu_ids gpuids gpu_idxs gpu_indices gpu_list device_ids".split())
"""What a list of numbers is called: ``net.to(gpu_ids[0])``."""
_PERHAPS = frozenset({"gpu", "local_gpu_id", "dev_id", "gpuid"})


@dataclass(frozen=True)
class Index:
    """A number that is taken for a device."""

    value: ast.expr
    known: bool
    """Whether it is a number for certain, and not by its name alone."""


def taken(context: Context, call: ast.Call) -> Index | None:
    """The number that a call takes for a device."""
    moves = isinstance(call.func, ast.Attribute) and call.func.attr in ("to", "to_empty")
    values = call.args[:1] if moves else []
    values += [keyword.value for keyword in call.keywords if keyword.arg == "device"]
    for value in values:
        known = _is_index(context, value)
        if known is None or not context.editable(value):
            continue
        sink = context.flow.sink(value)
        if sink is None or sink.kind is not SinkKind.DEVICE or is_a_stranger_s(context, sink):
            continue
        name = context.resolve(call.func) or ""
        # XP101 speaks of torch.device(0), XP102 of x.cuda(rank), XP802 of what only CUDA has.
        if (
            name == "torch.device"
            or name.startswith("torch.cuda.")
            or (isinstance(call.func, ast.Attribute) and call.func.attr == "cuda")
        ):
            continue
        sure = name.startswith("torch.") or _is_torch_s(context, call.func)
        if isinstance(value, ast.Constant) and not sure:
            continue
        return Index(value, known)
    return None


def _is_torch_s(context: Context, func: ast.expr) -> bool:
    return isinstance(func, ast.Attribute) and context.roles.role(func.value) in (*TENSORS, Role.MODEL)


def _is_index(context: Context, value: ast.expr) -> bool | None:
    """Whether an expression is a number for certain (True) or by its name (False); None if it is neither."""
    if isinstance(value, ast.Constant):
        return True if type(value.value) is int else None
    if isinstance(value, ast.Call):
        ordinals = {context.target.symbol(meaning).qualified for meaning in ("local_ordinal", "global_ordinal")}
        return True if context.resolve(value.func) in {*_NUMBERS, *ordinals} else None
    if isinstance(value, ast.Subscript) and isinstance(value.slice, ast.Constant):
        listed = (dotted(value.value) or "").rpartition(".")[2].lower().strip("_")
        return False if listed in _LISTS and context.roles.role(value) in (None, Role.NUMBER) else None
    path = dotted(value)
    if path is None:
        return None
    role = context.roles.role(value)
    if role is Role.NUMBER:
        return True
    if role is not None:
        return None
    last = path.rpartition(".")[2].lower().strip("_")
    if last in _RANKS:
        return True
    return False if last in _PERHAPS else None
