"""Does the script train: what the optimizers hold, and whether it changes.

`module.to('xla')` makes new Parameter objects (where ``.cuda()`` would move the old ones), so an optimizer
built before it holds parameters that never get a gradient. Nothing fails then; nothing is learnt either.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ..events import Loaded, OptimizerSeen, ParametersCompared, Site
from . import device, frames
from .session import current, guarded
from .wrapping import wrap

_LOOK_AT = (1, 2, 3, 10)
"""Before these steps an optimizer is looked at."""
_COMPARE_AT = (3, 5, 10, 20, 50, 100)
"""After these steps, and at the end, the sample is compared, until a change is seen."""
_SAMPLE = 8
_LARGEST = 1_000_000


@dataclass
class Watched:
    """An optimizer of the script: the how many-th it is, where it was built, and its steps so far."""

    index: int
    name: str
    built: Site | None
    steps: int = 0
    sample: list[Any] | None = None
    values: list[Any] = field(default_factory=list)
    compared: int = 0
    changed: bool = False


_built: weakref.WeakKeyDictionary[Any, Site | None] = weakref.WeakKeyDictionary()
_watched: weakref.WeakKeyDictionary[Any, Watched] = weakref.WeakKeyDictionary()
_count = 0


def install() -> None:
    """Watch every optimizer; torch has just been imported."""
    import torch
    from torch.optim import optimizer as module

    session = current()
    session.emit(Loaded("torch", torch.__version__))

    def init(original: Callable[..., None], optimizer: Any, *args: Any, **kwargs: Any) -> None:
        _built[optimizer] = frames.site()
        original(optimizer, *args, **kwargs)

    # A step inside torch.compile is traced, once, and must not be cut in pieces by our calls.
    def before(optimizer: Any, args: Any, kwargs: Any) -> None:
        if not torch.compiler.is_compiling():
            guarded(_before_step, optimizer)

    def after(optimizer: Any, args: Any, kwargs: Any) -> None:
        if not torch.compiler.is_compiling():
            _after_step(optimizer)

    def backward(original: Callable[..., None], tensors: Any, *args: Any, **kwargs: Any) -> None:
        if not torch.compiler.is_compiling():
            keeps = args[1] if len(args) > 1 else kwargs.get("retain_graph")
            guarded(session.backward, frames.site(), bool(keeps))
        original(tensors, *args, **kwargs)

    wrap(module.Optimizer, "__init__", init)
    wrap(torch.autograd, "backward", backward)
    module.register_optimizer_step_pre_hook(before)
    module.register_optimizer_step_post_hook(after)
    session.at_end.append(lambda: _compare_all(at_end=True))


def watch(optimizer: Any) -> Watched:
    """What is known of an optimizer that steps."""
    global _count
    watched = _watched.get(optimizer)
    if watched is None:
        watched = _watched[optimizer] = Watched(_count, type(optimizer).__name__, _built.get(optimizer))
        _count += 1
    return watched


def _before_step(optimizer: Any) -> None:
    watched = watch(optimizer)
    watched.steps += 1
    if watched.steps in _LOOK_AT:
        parameters = parameters_of(optimizer)
        with_gradient = [parameter for parameter in parameters if parameter.grad is not None]
        current().emit(
            OptimizerSeen(
                watched.index,
                watched.name,
                watched.built,
                watched.steps,
                len(parameters),
                sum(parameter.device.type == "cpu" for parameter in parameters),
                sum(parameter.device.type == device.TYPE for parameter in parameters),
                len(with_gradient),
            )
        )
        if watched.sample is None and with_gradient:
            watched.sample = choose(with_gradient)
            _remember(watched)


def optimizers() -> list[Any]:
    """All optimizers that there are, those that do not step included."""
    return list({id(optimizer): optimizer for optimizer in (*_built, *_watched)}.values())


def is_recording() -> bool:
    """Whether what runs now may be a forward pass of a training."""
    import torch

    return bool(_built) and torch.is_grad_enabled()


def parameters_of(optimizer: Any) -> list[Any]:
    """The parameters that an optimizer holds now; none before it is built."""
    return [parameter for group in getattr(optimizer, "param_groups", ()) for parameter in group["params"]]


def held() -> set[int]:
    """The identities of all parameters that optimizers hold now."""
    return {id(parameter) for optimizer in optimizers() for parameter in parameters_of(optimizer)}


def gradients() -> tuple[int, int] | None:
    """How many of the parameters that optimizers hold have a gradient now, and how many they are; `None` without."""
    parameters = [parameter for optimizer in list(_watched) for parameter in parameters_of(optimizer)]
    return (sum(parameter.grad is not None for parameter in parameters), len(parameters)) if parameters else None


def _after_step(optimizer: Any) -> None:
    session = current()
    site = frames.site()
    guarded(session.optimizer_stepped, watch(optimizer).index, site)
    session.stop_if_due(site)


def choose(parameters: list[Any], where: str = device.TYPE) -> list[Any]:
    """Up to `_SAMPLE` parameters on the device, spread over the model."""
    fit = [item for item in parameters if item.device.type == where and 0 < item.numel() <= _LARGEST]
    stride = max(1, len(fit) // _SAMPLE)
    return [weakref.ref(item) for item in fit[::stride][:_SAMPLE]]


def read(sample: list[Any]) -> list[Any] | None:
    """Values of the sample; `None` if one is gone, or waits in the pending graph, which a read would run."""
    tensors = [reference() for reference in sample]
    if tensors and all(tensor is not None and tensor.device.type == "cpu" for tensor in tensors):
        return [tensor.detach().clone() for tensor in tensors]
    if not tensors or any(tensor is None for tensor in tensors):
        return None
    return device.values(tensors)


def _remember(watched: Watched) -> None:
    if watched.sample and not watched.values:
        watched.values = read(watched.sample) or []


def after_barrier() -> None:
    """The pending graph has just been run: what an optimizer holds is data now."""
    _compare_all(at_end=False)


def _compare_all(at_end: bool) -> None:
    for watched in list(_watched.values()):
        if watched.changed or not watched.sample:
            continue
        if not watched.values:
            _remember(watched)
        elif watched.steps != watched.compared and (at_end or watched.steps in _COMPARE_AT):
            _compare(watched)


def _compare(watched: Watched) -> None:
    import torch

    now = read(watched.sample or [])
    if now is None:
        return
    changed = sum(not torch.equal(a, b) for a, b in zip(watched.values, now, strict=True))
    watched.compared, watched.changed = watched.steps, changed > 0
    current().emit(ParametersCompared(watched.index, watched.steps, len(now), changed))
