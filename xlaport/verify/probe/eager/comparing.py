"""Makes a run on torch_tpu comparable with its original: it draws the same, and nothing is compiled as one."""

from __future__ import annotations

import sys
from importlib import metadata
from typing import Any

from ...eager import names
from ...events import Loaded
from .. import redirect, same_draws
from ..session import current
from ..settings import SETTINGS


def install() -> None:
    """Put everything in place; nothing where torch has not found the device, as for the original.

    What torch.compile compiles draws by itself, so that nothing is compiled here.
    """
    if names.DEVICE_MODULE not in sys.modules:
        return
    import torch

    played = SETTINGS.get("XLAPORT_PLAY_TPU")
    current().emit(Loaded(names.PACKAGE, metadata.version(names.PACKAGE), "CPU" if played else "TPU"))
    # A TPU multiplies float32 in one pass of bfloat16 unless it is told to be exact.
    torch.set_float32_matmul_precision("highest")
    same_draws.install_on_device(names.DEVICE)
    redirect.host_generators(torch, _host)
    redirect.plain_compilers(torch)


def _host(device: Any) -> Any:
    """The CPU in place of a device of torch_tpu, by whatever name."""
    return "cpu" if str(device).partition(":")[0] == names.DEVICE else device
