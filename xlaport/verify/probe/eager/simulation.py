"""Plays a TPU in the child, on the CPU: what of torch_tpu and torch stands in the way of that is put aside.

Only where the launcher has found no TPU (``XLAPORT_PLAY_TPU``).
"""

from __future__ import annotations

import os
import sys
from typing import Any

from ...eager import names
from . import plugin, scans


def chip_found() -> None:
    """torch_tpu is about to look for chips: there is one, and its library is the CPU's."""
    hardware: Any = sys.modules[names.HARDWARE]
    plugin.complete(os.environ[names.LIBRARY_PATH])
    setattr(hardware, names.SCAN, lambda: (1, getattr(hardware, names.TOPOLOGY)))
    setattr(hardware, names.NAME, lambda: names.CHIP)


def runtime_stays() -> None:
    """The runtime ends with the process: as it ends by itself it crashes on the CPU, after a `torch.unique()`."""
    setattr(getattr(sys.modules[names.DEVICE_MODULE], names.RUNTIME), names.SHUTDOWN, lambda: None)


def torch_loaded() -> None:
    """What the CPU has not: kernels of a TPU (attention has a form without), pinned memory, and peaks of memory."""
    import torch

    torch.backends.cuda.enable_flash_sdp(False)
    torch.backends.cuda.enable_mem_efficient_sdp(False)
    torch.Tensor.pin_memory = lambda self, *args, **kwargs: self
    torch.accelerator.reset_peak_memory_stats = lambda *args, **kwargs: None
    scans.install()
