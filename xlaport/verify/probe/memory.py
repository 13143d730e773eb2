"""What XLA:CPU cannot say of its memory, and a TPU can: a port that shows it runs here, too."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from .wrapping import wrap

_LIMIT = 16 * 2**30
"""What a small TPU has."""


def install() -> None:
    """Let `xm.get_memory_info()` answer under ``PJRT_DEVICE=CPU``, where it raises."""
    import torch_xla.core.xla_model as xm

    wrap(xm, "get_memory_info", _asked)


def _asked(original: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    try:
        return original(*args, **kwargs)
    except RuntimeError:
        if os.environ.get("PJRT_DEVICE") != "CPU":
            raise
        return {"bytes_used": 0, "bytes_limit": _LIMIT, "peak_bytes_used": 0}
