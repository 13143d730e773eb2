"""CUDA programs without a GPU: what moves to CUDA stays, and the rest of CUDA's calls do nothing.

A text that names the device has been rewritten before the program is started, see `tests.loops.conversion`.
"""

from __future__ import annotations

from typing import Any

import torch


def _itself(value: Any, *args: Any, **kwargs: Any) -> Any:
    return value


def _nothing(*args: Any, **kwargs: Any) -> None:
    return None


def stay_on_the_host() -> None:
    """Redirect CUDA in this process."""
    torch.Tensor.cuda = _itself
    torch.nn.Module.cuda = _itself
    for name in ("synchronize", "manual_seed", "manual_seed_all", "empty_cache"):
        setattr(torch.cuda, name, _nothing)
