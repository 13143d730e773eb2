"""Gives XLA:CPU as many devices as a slice has chips, for a script that makes its mesh of all there are."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from .settings import SETTINGS
from .wrapping import wrap


def install() -> None:
    """Wait until the script turns SPMD on: its first device comes behind that. torch_xla has just been imported.

    Any other script has one device: torch_xla's replicas cannot meet on XLA:CPU (see `playing`).
    """
    count = SETTINGS.get("XLAPORT_DEVICES")
    if not count:
        return
    from torch_xla import runtime

    def use_spmd(original: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        os.environ["CPU_NUM_DEVICES"] = count
        return original(*args, **kwargs)

    if os.environ.get("XLA_USE_SPMD"):
        os.environ["CPU_NUM_DEVICES"] = count
    wrap(runtime, "use_spmd", use_spmd)
