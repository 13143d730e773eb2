"""Plays the replicas of a distributed program on XLA:CPU: each is a process of its own, alone on its device.

torch_xla runs one process on XLA:CPU, whatever is asked for, and several devices of it cannot meet in a collective
(torch_xla 2.9: a launch has one process, two processes of torchrun are replica 0 of 1 each, and two devices end in an
abort). So a replica is told its number and how many there are, and meets copies of itself: the graphs hold the
collectives that they will hold on a TPU, over one device, and each value that would come from another replica is its
own. What depends on the number of the replica is as it will be; what the others computed is not.
"""

from __future__ import annotations

import contextlib
import functools
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Any

from . import dumps
from .wrapping import wrap

_played: tuple[int, int] | None = None


def install(on_start: Callable[[], None]) -> None:
    """Watch the two ways into a replica: ``torch_xla.launch()``, and the rendezvous of torchrun's processes.

    `on_start` is called in each process that is told that it is one of several.
    """
    from torch_xla._internal import pjrt

    count = int(os.environ.get("XLAPORT_REPLICAS") or 1)

    def initialize(original: Callable[..., None], local_rank: int, local_world_size: int) -> None:
        dumps.choose()  # a replica that was forked has its parent's folder
        original(local_rank, local_world_size)
        if _on_cpu() and local_world_size > 1:
            _play(local_rank, local_world_size)
        on_start()

    def run(original: Callable[..., Any], function: Any, *args: Any, start_method: str = "spawn", **kwargs: Any) -> Any:
        if count == 1 or not _on_cpu() or _runs_already():
            return original(function, *args, start_method=start_method, **kwargs)
        return _launch(count, functools.partial(function, *args, **kwargs), start_method)

    wrap(pjrt, "initialize_multiprocess", initialize)
    wrap(pjrt, "run_multiprocess", run)


def played() -> tuple[int, int] | None:
    """Which replica this process plays, of how many; None where it plays none."""
    return _played


def _on_cpu() -> bool:
    from torch_xla import runtime

    return bool(runtime.device_type() == "CPU")


def _runs_already() -> bool:
    import _XLAC

    return bool(_XLAC._xla_runtime_is_initialized())


def _launch(count: int, function: Callable[[], Any], start_method: str) -> dict[int, Any]:
    """What `pjrt.run_multiprocess` does on a TPU with so many chips: the results by replica."""
    import torch
    from torch_xla._internal import pjrt

    context = torch.multiprocessing.get_context(start_method)
    started = functools.partial(
        pjrt._run_thread_per_device,
        local_world_size=count,
        fn=function,
        initializer_fn=pjrt.initialize_multiprocess,
    )
    with contextlib.ExitStack() as stack:
        # A pool for each: a replica that is done early must not become the next one.
        pools = [stack.enter_context(ProcessPoolExecutor(1, mp_context=context)) for _ in range(count)]
        futures = [pool.submit(started, rank) for rank, pool in enumerate(pools)]
        errors = [error for future in futures if (error := future.exception()) is not None]
    # The stop of one replica must not hide the failure of another.
    for error in sorted(errors, key=lambda error: isinstance(error, SystemExit)):
        raise error
    return {rank: next(iter(future.result().values())) for rank, future in enumerate(futures)}


def _play(ordinal: int, count: int) -> None:
    """Tell torch_xla that this process is one of several, and let its collectives work alone."""
    import _XLAC
    import torch
    import torch_xla.core.xla_model as xm
    from torch_xla import runtime

    global _played
    _played = ordinal, count
    runtime._WORLD_SIZE, runtime._ORDINAL = count, ordinal
    wrap(runtime, "global_device_count", lambda original: count)
    wrap(_XLAC, "_xla_get_num_processes", lambda original: count)
    wrap(_XLAC, "_xla_get_process_index", lambda original: ordinal)
    reduce = xm.all_reduce

    def size(groups: Sequence[Sequence[int]] | None) -> int:
        return len(groups[0]) if groups else count

    def all_reduce(
        original: Any, reduce_type: str, inputs: Any, scale: float = 1.0, groups: Any = None, pin_layout: bool = True
    ) -> Any:
        both = scale * size(groups) if reduce_type == xm.REDUCE_SUM else scale
        return original(reduce_type, inputs, both, groups, pin_layout)

    def all_gather(
        original: Any,
        value: Any,
        dim: int = 0,
        groups: Any = None,
        output: Any = None,
        pin_layout: bool = True,
        *_: Any,
        **__: Any,
    ) -> Any:
        values = value if isinstance(value, list) else [value]
        copies = [torch.cat([item] * size(groups), dim) for item in values]
        gathered = [reduce(xm.REDUCE_SUM, item, groups=groups, pin_layout=pin_layout) for item in copies]
        if output is None:
            return gathered if isinstance(value, list) else gathered[0]
        for target, item in zip(output if isinstance(output, list) else [output], gathered, strict=True):
            target.copy_(item)
        return output

    def broadcast(
        original: Any, tensors: Any, root_ordinal: int = 0, groups: Any = None, pin_layout: bool = True
    ) -> None:
        reduce(xm.REDUCE_SUM, tensors, groups=groups, pin_layout=pin_layout)

    # XLA:CPU compiles neither of these two for one device: a sum of the same values stands in their place.
    def all_to_all(
        original: Any,
        value: Any,
        split_dimension: int,
        concat_dimension: int,
        split_count: int,
        groups: Any = None,
        pin_layout: bool = True,
    ) -> Any:
        met = reduce(xm.REDUCE_SUM, value, groups=groups, pin_layout=pin_layout)
        return torch.cat(met.chunk(split_count, split_dimension), concat_dimension)

    def permute(original: Any, value: Any, pairs: Any) -> Any:
        return reduce(xm.REDUCE_SUM, value)

    def rendezvous(original: Any, payload: bytes = b"", *args: Any, **kwargs: Any) -> list[bytes]:
        return [payload] * len(original(payload, *args, **kwargs))

    wrap(xm, "all_reduce", all_reduce)
    wrap(xm, "all_gather", all_gather)
    wrap(xm, "collective_broadcast", broadcast)
    wrap(xm, "all_to_all", all_to_all)
    wrap(xm, "collective_permute", permute)
    wrap(xm, "xla_rendezvous", rendezvous)
