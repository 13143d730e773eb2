"""Batch norms that evaluate with averages which training has not moved.

torch_tpu 0.2.0 trains them rightly, and leaves `running_mean` and `running_var` as they were (measured on the CPU's
plugin: what the operator gives back as the new averages are the old ones).
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from importlib import metadata
from typing import Any

from ...eager import names
from ...events import STALE
from .. import device
from ..notices import notice
from ..session import guarded
from ..wrapping import wrap

_NAMES = ("input", "running_mean", "running_var", "weight", "bias", "training", "momentum", "eps")


def install() -> None:
    """Put it around the function that all batch norms call; what torch.compile compiles is not seen."""
    import torch
    from torch.utils.weak import WeakIdKeyDictionary

    wrap(torch.nn.functional, "batch_norm", functools.partial(_watched, WeakIdKeyDictionary()))


def _watched(trained: Any, original: Callable[..., Any], *args: Any, **named: Any) -> Any:
    """`trained`: the averages that were given in training, each with its version at first."""
    import torch

    if torch.compiler.is_compiling():
        return original(*args, **named)
    result = original(*args, **named)
    given = {**dict(zip(_NAMES, args, strict=False)), **named}
    guarded(_look, trained, original, given.get("running_mean"), bool(given.get("training")))
    return result


def _look(trained: Any, original: Callable[..., Any], mean: Any, training: bool) -> None:
    if mean is None or mean.device.type != device.TYPE:
        return
    if training:
        trained.setdefault(mean, mean._version)
    # A version that is another now was moved by somebody else: a hook, or a checkpoint.
    elif trained.get(mean) == mean._version and not _moves(original):
        notice(STALE, metadata.version(names.PACKAGE))


@functools.cache
def _moves(batch_norm: Callable[..., Any]) -> bool:
    """Whether training moves averages here."""
    import torch

    with device.quiet(), torch.no_grad():
        mean, variance = torch.zeros(1, device=device.TYPE), torch.ones(1, device=device.TYPE)
        batch_norm(torch.full((2, 1), 8.0, device=device.TYPE), mean, variance, training=True)
        return bool(mean.cpu().any())
