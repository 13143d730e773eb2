"""Norms that evaluate with averages which training has not moved.

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

_PLACE = 5
"""Where both functions take whether they are to use the batch, which they call by two names."""
_TRAINING = ("training", "use_input_stats")


def install() -> None:
    """Put it around the functions that all batch and instance norms call; what torch.compile compiles is not seen."""
    import torch
    from torch.utils.weak import WeakIdKeyDictionary

    watched = functools.partial(_watched, WeakIdKeyDictionary(), torch.nn.functional.batch_norm)
    for name in ("batch_norm", "instance_norm"):
        wrap(torch.nn.functional, name, watched)


def _watched(trained: Any, norm: Callable[..., Any], original: Callable[..., Any], *args: Any, **named: Any) -> Any:
    """`trained`: the averages that training was given, each with its values at first; `norm`: torch's batch norm."""
    import torch

    if torch.compiler.is_compiling():
        return original(*args, **named)
    result = original(*args, **named)
    mean = args[1] if len(args) > 1 else named.get("running_mean")
    training = args[_PLACE] if len(args) > _PLACE else next((named[name] for name in _TRAINING if name in named), False)
    guarded(_look, trained, norm, mean, bool(training))
    return result


def _look(trained: Any, norm: Callable[..., Any], mean: Any, training: bool) -> None:
    if mean is None or mean.device.type != device.TYPE:
        return
    with device.quiet():
        if training and mean not in trained:
            trained[mean] = mean.cpu()
        elif not training and mean in trained:
            # What is another value now was moved by somebody else: a hook, or a checkpoint.
            is_moved = not trained.pop(mean).equal(mean.cpu())
            if not is_moved and not _moves(norm):
                notice(STALE, metadata.version(names.PACKAGE))


@functools.cache
def _moves(batch_norm: Callable[..., Any]) -> bool:
    """Whether training moves averages here."""
    import torch

    with torch.no_grad():
        mean, variance = torch.zeros(1, device=device.TYPE), torch.ones(1, device=device.TYPE)
        batch_norm(torch.full((2, 1), 8.0, device=device.TYPE), mean, variance, training=True)
        return bool(mean.cpu().any())
