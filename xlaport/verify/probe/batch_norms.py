"""The original's batch norms keep the variance that torch_xla keeps, so that evaluations can be compared.

PyTorch moves `running_var` towards the unbiased variance of the batch, and torch_xla 2.9 towards the biased one: it is
smaller by 1/n, for n values in each channel (measured; 3 % for a BatchNorm1d and 32 rows). Training does not see it, an
evaluation does. It is XLA's way, and no fault of a port.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .notices import notice
from .session import guarded
from .wrapping import wrap

_NAMES = ("input", "running_mean", "running_var", "weight", "bias", "training", "momentum", "eps")


def install() -> None:
    """Put it around the function that all batch norms call."""
    import torch

    wrap(torch.nn.functional, "batch_norm", _biased)


def _biased(original: Callable[..., Any], *args: Any, **named: Any) -> Any:
    import torch

    given = {**dict(zip(_NAMES, args, strict=False)), **named}
    variance = given.get("running_var")
    if variance is None or not given.get("training") or torch.compiler.is_compiling():
        return original(*args, **named)
    before = variance.detach().clone()
    result = original(*args, **named)
    guarded(_rescale, variance, before, given["input"], given.get("momentum", 0.1))
    return result


def _rescale(variance: Any, before: Any, values: Any, momentum: float) -> None:
    import torch

    notice("batch-norm")
    count = values.numel() / values.shape[1]
    # By `data`, which has no version: the backward pass has kept the tensor.
    with torch.no_grad():
        variance.data.sub_((variance.detach() - before * (1 - momentum)) / count)
