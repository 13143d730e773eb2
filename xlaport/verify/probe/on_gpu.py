"""The CUDA original, run on a GPU: what may differ from the port there, and is no fault of it, is as on the CPU.

Random numbers are drawn on the host, as in the port (see `same_draws`); precision is float32 all through: no autocast,
no GradScaler, and no TF32, which the environment turns off (``NVIDIA_TF32_OVERRIDE=0``). What draws inside of a kernel
of its own, for attention or in an RNN of cuDNN, takes the way that draws by an operator.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import redirect, same_draws
from .wrapping import wrap

_RECURRENT = ("lstm", "gru", "rnn_tanh", "rnn_relu")


def install() -> None:
    """Put everything in place; torch has just been imported."""
    import torch
    import torch._dynamo  # every optimizer imports it, and it wants to find torch as it was

    redirect.host_generators(torch)
    redirect.plain_compilers(torch)
    redirect.full_precision(torch)
    same_draws.install_on_gpu()
    for kind in ("flash", "mem_efficient", "cudnn"):
        getattr(torch.backends.cuda, f"enable_{kind}_sdp")(False)
    for name in _RECURRENT:
        wrap(torch._VF, name, _without_cudnn)


def _without_cudnn(original: Callable[..., Any], *args: Any, **named: Any) -> Any:
    import torch

    with torch.backends.cudnn.flags(enabled=False):
        return original(*args, **named)
