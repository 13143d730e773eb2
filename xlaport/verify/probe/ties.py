"""Tied weights: parameters that are one, and become several where their module moves to an XLA device.

``module.to('xla')`` makes a new parameter for each name (where ``.cuda()`` moves the one that there is), so that an
output layer no longer shares the weight of the embedding: nothing fails, and both are trained apart (measured,
torch_xla 2.9).
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..events import Site, Untied
from . import frames
from .session import current, guarded
from .wrapping import wrap


@dataclass
class _Moved:
    module: weakref.ref[Any]
    tied: list[tuple[str, ...]]
    site: Site | None


_moved: list[_Moved] = []
_depth = 0


def install() -> None:
    """Watch ``Module.to``; torch has just been imported."""
    import torch
    from torch.optim import optimizer

    wrap(torch.nn.Module, "_apply", _moving)
    # Whoever ties them again has done so by the first step, or by the end of a script that does not train.
    optimizer.register_optimizer_step_pre_hook(lambda *_: guarded(_look) if _moved else None)
    current().at_end.append(_look)


def _moving(original: Callable[..., Any], module: Any, *args: Any, **kwargs: Any) -> Any:
    """A module moves, or changes its dtype; those inside of it do so in the same call."""
    global _depth
    before: list[tuple[str, ...]] = []
    if not _depth:
        guarded(lambda: before.extend(_tied(module)))
    _depth += 1
    try:
        return original(module, *args, **kwargs)
    finally:
        _depth -= 1
        if before:
            guarded(_remember, module, before)


def _tied(module: Any) -> list[tuple[str, ...]]:
    """The names of each parameter that has several."""
    names: dict[int, list[str]] = {}
    for name, parameter in module.named_parameters(remove_duplicate=False):
        names.setdefault(id(parameter), []).append(name)
    return [tuple(group) for group in names.values() if len(group) > 1]


def _remember(module: Any, before: list[tuple[str, ...]]) -> None:
    parted = [group for group in before if _is_parted(module, group)]
    if parted:
        _moved.append(_Moved(weakref.ref(module), parted, frames.site()))


def _is_parted(module: Any, names: tuple[str, ...]) -> bool:
    parameters = dict(module.named_parameters(remove_duplicate=False))
    return len({id(parameters[name]) for name in names if name in parameters}) > 1


def _look() -> None:
    """Tell of those that are still apart, once."""
    while _moved:
        moved = _moved.pop()
        module = moved.module()
        for group in moved.tied if module is not None else ():
            if _is_parted(module, group):
                current().emit(Untied(moved.site, group))
