"""Keeps the graphs of a run, and tells what lies on the device between its steps: for a compiler of TPUs.

Both only where a folder for the graphs is named (``XLAPORT_GRAPHS``).
"""

from __future__ import annotations

import gc
import os
import re
import shutil
import sys
import weakref
from collections import Counter
from typing import Any

from ..device_events import BUFFER, GRADIENT, HELD, OTHER, PARAMETER, STATE
from ..events import TensorsSeen
from .session import current
from .settings import SETTINGS

_FIRST = 3
"""The barrier behind which is looked for the first time: gradients and the optimizer's state are there by then."""
_KINDS = {
    "torch.float32": "f32", "torch.float64": "f64", "torch.bfloat16": "bf16", "torch.float16": "f16",
    "torch.int64": "s64", "torch.int32": "s32", "torch.int16": "s16", "torch.int8": "s8", "torch.uint8": "u8",
    "torch.bool": "pred", "torch.complex64": "c64", "torch.complex128": "c128",
}  # fmt: skip
_SHARDED = "torch_xla.distributed.fsdp.xla_flatten_params_wrapper"
"""Its views of what is freed between two steps break when they are asked for their sizes (torch_xla 2.9): there, only
what optimizers hold is looked at.
"""
_DIVIDED = re.compile(r"devices=\[([\d,]+)\]")
"""In how many parts a sharding divides each dimension; behind the last one, over how many devices it repeats them."""
_barriers = 0
_next = _FIRST
_seen: dict[int, weakref.ref[Any]] = {}
"""The tensors that were there when it was looked last, by id."""


def is_asked() -> bool:
    """Whether the graphs are to be kept."""
    return bool(SETTINGS.get("XLAPORT_GRAPHS"))


def keep(path: str) -> str:
    """Take a dump out of the folder in which XLA writes them: its new name."""
    name = f"{os.getpid()}-{os.path.basename(path)}"
    shutil.move(path, os.path.join(SETTINGS["XLAPORT_GRAPHS"], name))
    return name


def after_barrier() -> None:
    """Tell what lies on the device, behind the third barrier and then ever more seldom: looking takes some time."""
    global _barriers, _next
    _barriers += 1
    if not is_asked() or _barriers < _next:
        return
    _next *= 2
    counts = Counter(_tensors())
    rows = tuple((what, kind, sizes, count) for (what, kind, sizes), count in counts.items())
    current().emit(TensorsSeen(_barriers, rows))


def _tensors() -> list[tuple[str, str, tuple[int, ...]]]:
    torch: Any = sys.modules["torch"]
    objects = gc.get_objects()
    tensors = {id(thing): thing for thing in objects if issubclass(type(thing), torch.Tensor)}
    what = dict.fromkeys(tensors, OTHER)
    weights: list[Any] = []
    """What optimizers step: leaves, of which to ask for a gradient changes nothing (of a view, it may fail)."""
    for thing in objects:
        kind = type(thing)
        if issubclass(kind, torch.nn.Module):
            what.update((id(buffer), BUFFER) for buffer in thing.__dict__.get("_buffers", {}).values())
            what.update((id(weight), PARAMETER) for weight in thing.__dict__.get("_parameters", {}).values())
        elif issubclass(kind, torch.optim.Optimizer):
            weights += [each for group in thing.param_groups for each in group["params"]]
            states = (state.values() for state in thing.state.values() if isinstance(state, dict))
            what.update((id(each), STATE) for values in states for each in values)
    with torch._C.DisableTorchFunction():
        for weight in weights:
            what[id(weight)] = PARAMETER
            if weight.grad is not None:
                what[id(weight.grad)] = GRADIENT
                tensors[id(weight.grad)] = weight.grad
        if _SHARDED in sys.modules:
            tensors = {key: tensor for key, tensor in tensors.items() if what[key] in (GRADIENT, STATE)}
            tensors.update((id(weight), weight) for weight in weights)
        there = {key: tensor for key, tensor in tensors.items() if tensor.device.type == "xla"}
        for key, tensor in there.items():
            if what[key] == OTHER and key in _seen and _seen[key]() is tensor:
                what[key] = HELD
        _seen.clear()
        _seen.update((key, weakref.ref(tensor)) for key, tensor in there.items())
        return [(what[key], _KINDS.get(str(tensor.dtype), "?"), _sizes(tensor)) for key, tensor in there.items()]


def _sizes(tensor: Any) -> tuple[int, ...]:
    """Those of what one device has of a tensor: under SPMD, of its shard."""
    sizes = tuple(tensor.shape)
    divided = _DIVIDED.search(_sharding(tensor))
    if divided is None:
        return sizes
    return tuple(-(-size // int(parts)) for size, parts in zip(sizes, divided[1].split(","), strict=False))


def _sharding(tensor: Any) -> str:
    runtime, functions = sys.modules["torch_xla.runtime"], sys.modules["_XLAC"]
    return str(functions._get_xla_sharding_spec(tensor)) if runtime.is_spmd() else ""
