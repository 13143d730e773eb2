"""A first graph on the device, run in a child by `trial`: says what it is about to do, and what came of it.

The result is exact in bfloat16's inputs and float32's sums, which is what a TPU multiplies in by default.
"""

import json
import time


def _tell(stage: str, **facts: object) -> None:
    # The runtime prints, too, and not always whole lines.
    print("\nxlaport-doctor:" + json.dumps({"stage": stage, **facts}), flush=True)


def _main() -> None:
    _tell("torch")
    import torch

    _tell("torch_xla")
    import torch_xla
    import torch_xla.core.xla_model as xm
    import torch_xla.runtime as xr

    _tell("device")
    device = torch_xla.device() if hasattr(torch_xla, "device") else xm.xla_device()
    kind, count = xr.device_type(), xr.global_runtime_device_count()
    _tell("graph", kind=kind, count=count)
    x = torch.arange(16.0).reshape(4, 4)
    start = time.perf_counter()
    y = x.to(device)
    result = (y @ y + 1).cpu()
    seconds = time.perf_counter() - start
    difference = (result - (x @ x + 1)).abs().max().item()
    _tell("done", seconds=seconds, difference=difference)


_main()
