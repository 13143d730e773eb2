"""Shards of a model, as a CUDA original makes them: in one process, on the CPU."""

from __future__ import annotations

import functools
import sys
from typing import Any

from .hook import AfterImport


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
