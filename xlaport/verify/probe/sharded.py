"""Shards of a model: a CUDA original makes them in one process, on the CPU; and both are told by their parameters."""

from __future__ import annotations

import functools
import re
import sys
from typing import Any

from .after_import import AfterImport

_WRAPPER = re.compile(r"(?:_fsdp_wrapped_module|_fpw_module|_orig_module|_checkpoint_wrapped_module)\.")
_SHARD = re.compile(r"_fsdp_shard.*")


def install() -> None:
    """Meshes and groups are there with torch; what wraps a model takes a second to import, and is waited for."""
    _groups()
    _meshes()
    if "torch.distributed.fsdp" in sys.modules:  # torch._dynamo imports it where it has Triton
        _wrapped()
    else:
        sys.meta_path.insert(0, AfterImport({"torch.distributed.fsdp": _wrapped}))


def _wrapped() -> None:
    """``FSDP(model, device_id=…)`` looks for a GPU; given the CPU, it stays there.

    The optimizer gets the parameters of the model, and not the flat ones of each unit, so that they can be compared.
    """
    import torch
    from torch.distributed.fsdp import FullyShardedDataParallel

    original = FullyShardedDataParallel.__init__

    @functools.wraps(original)
    def init(self: Any, module: Any, *args: Any, **kwargs: Any) -> None:
        original(self, module, *args, **{**kwargs, "device_id": torch.device("cpu"), "use_orig_params": True})

    FullyShardedDataParallel.__init__ = init


def _meshes() -> None:
    """``init_device_mesh("cuda", …)`` and the mesh that ``fully_shard`` makes are of CPUs."""
    from torch.distributed.device_mesh import DeviceMesh

    original = DeviceMesh.__init__

    @functools.wraps(original)
    def init(self: Any, device_type: str, *args: Any, **kwargs: Any) -> None:
        original(self, "cpu", *args, **kwargs)

    DeviceMesh.__init__ = init


def _groups() -> None:
    """Groups are of the backend that the CPU has; a mesh asks for NCCL's by itself."""
    import torch.distributed
    from torch.distributed import device_mesh, distributed_c10d

    original = distributed_c10d.new_group

    @functools.wraps(original)
    def made(ranks: Any = None, timeout: Any = None, backend: Any = None, *args: Any, **kwargs: Any) -> Any:
        own = "gloo" if backend is not None and "nccl" in str(backend).lower() else backend
        return original(ranks, timeout, own, *args, **kwargs)

    for module in (torch.distributed, distributed_c10d, device_mesh):
        module.new_group = made


def local(tensor: Any) -> Any:
    """What a process holds of a tensor that `fully_shard` divides: all of it, where there is one process."""
    return getattr(tensor, "_local_tensor", tensor)


def plain(name: str, parameter: Any) -> str:
    """The name of a parameter without those of what wraps the modules around it."""
    own = getattr(parameter, "_orig_name", None)  # torch_xla's
    return _WRAPPER.sub("", _SHARD.sub(own, name) if own is not None else name)


def as_made(parameter: Any, host: Any) -> tuple[tuple[int, ...], Any]:
    """The shape of a parameter and its values: torch_xla's FSDP keeps a flat one, with zeros behind it."""
    made, flat = getattr(parameter, "_orig_size", None), host.reshape(-1)
    if made is None or flat.numel() < made.numel():  # a shard of several
        return tuple(parameter.shape), flat
    return tuple(made), flat[: made.numel()]
