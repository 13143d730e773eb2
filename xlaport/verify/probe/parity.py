"""What a run is compared by: its losses, gradients and parameters, and the random numbers it has used.

Put in the place of the other points (``XLAPORT_PARITY``), in the CUDA original and in the port alike, so that
both are asked the same. On XLA nothing is read while the script trains, since that would cut its graphs: the
values wait on the device until the run ends, or until many have gathered.
"""

from __future__ import annotations

import functools
import gc
import math
import random
import sys
import weakref
import zlib
from collections.abc import Callable
from typing import Any

from ..events import CAST, RAN, Loaded, LossSeen, ParameterSeen, Site, StepSeen
from . import device, frames, sharded
from .notices import notice
from .session import current, guarded
from .settings import SETTINGS
from .wrapping import wrap

_WAITING = 512
"""So many values wait on the device, at most."""
_VALUES = 64
"""Elements of a parameter that are recorded."""

_waiting: list[tuple[Any, Callable[[float], Any]]] = []
_optimizers: weakref.WeakKeyDictionary[Any, int] = weakref.WeakKeyDictionary()
_held: dict[int, list[Any]] = {}
_unscaled: dict[int, Any] = {}
_losses = 0
_steps = 0


def install() -> None:
    """Watch the backward passes and the optimizers, and make the run repeatable; torch has just been imported."""
    import torch
    from torch.optim import optimizer as module

    from . import dropout, printing, same_draws, saving

    session = current()
    session.emit(Loaded("torch", torch.__version__))
    seed = int(SETTINGS.get("XLAPORT_SEED") or 0)
    random.seed(seed)
    torch.manual_seed(seed)
    if "numpy" in sys.modules:  # torch has imported it, if it is there
        sys.modules["numpy"].random.seed(seed)
    if SETTINGS["XLAPORT_PARITY"] == "original":
        from . import batch_norms, on_gpu, redirect

        (on_gpu if SETTINGS.get("XLAPORT_ORIGINAL_ON") == "cuda" else redirect).install()
        if not device.IS_EAGER:
            batch_norms.install()
    if SETTINGS.get("XLAPORT_PERTURB") or SETTINGS.get("XLAPORT_PERTURB_FIRST"):
        from . import fast_clock

        fast_clock.install()
    guarded(same_draws.in_order)
    dropout.install(off=bool(SETTINGS.get("XLAPORT_NO_DROPOUT")))
    _watch_autocast(torch.autocast)
    _watch_backward(torch)
    _watch_models(torch.nn.modules.module)
    for name, dtype in (("half", "float16"), ("bfloat16", "bfloat16")):
        wrap(torch.nn.Module, name, functools.partial(_cast, dtype))
    module.register_optimizer_step_pre_hook(_before_step)
    module.register_optimizer_step_post_hook(_after_step)
    session.at_end.append(finish)
    guarded(printing.install, _made)
    guarded(saving.install, _made)


def _made() -> int:
    return _steps


def _watch_autocast(autocast: Any) -> None:
    """Lower precision in both is compared without it; in the port alone, it is a difference."""
    original = autocast.__init__
    off = bool(SETTINGS.get("XLAPORT_NO_AUTOCAST"))

    @functools.wraps(original)
    def init(self: Any, device_type: str, *args: Any, **kwargs: Any) -> None:
        original(self, device_type, *args, **kwargs)
        if self._enabled:
            guarded(notice, "autocast", str(self.fast_dtype).removeprefix("torch."))
            self._enabled = not off

    autocast.__init__ = init


def _cast(dtype: str, original: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    guarded(notice, CAST, dtype)
    return original(*args, **kwargs)


def _watch_models(module: Any) -> None:
    """What comes since a model has first run may be its result; `_perturb` a model then, where it is asked for."""
    import torch

    amount = float(SETTINGS.get("XLAPORT_PERTURB_FIRST") or 0)
    perturbed: weakref.WeakSet[Any] = weakref.WeakSet()

    def runs(model: Any, args: Any) -> None:
        if torch.compiler.is_compiling():
            return
        guarded(notice, RAN)
        if not amount:
            handle.remove()
        elif model not in perturbed:
            perturbed.update(model.modules())
            guarded(_perturb, list(model.parameters()), amount)

    handle = module.register_module_forward_pre_hook(runs)


def _watch_backward(torch: Any) -> None:
    backward = torch.autograd.backward

    @functools.wraps(backward)
    def seen(tensors: Any, *args: Any, **kwargs: Any) -> Any:
        if not torch.compiler.is_compiling():
            guarded(_loss, tensors)
        return backward(tensors, *args, **kwargs)

    torch.autograd.backward = seen
    scale = torch.amp.GradScaler.scale

    @functools.wraps(scale)
    def scaled(self: Any, outputs: Any) -> Any:
        result = scale(self, outputs)
        _unscaled.clear()  # an id is only worth something until its object goes
        _unscaled[id(result)] = outputs
        return result

    torch.amp.GradScaler.scale = scaled


def _loss(tensors: Any) -> None:
    import torch

    global _losses
    for tensor in (tensors,) if isinstance(tensors, torch.Tensor) else tuple(tensors):
        loss = _unscaled.get(id(tensor), tensor).detach()
        _losses += 1
        make = functools.partial(_make_loss, _losses, _steps + 1, str(loss.dtype).removeprefix("torch."), frames.site())
        _later(loss.sum() if loss.numel() != 1 else loss.reshape(()).clone(), make)


def _make_loss(number: int, step: int, dtype: str, site: Site | None, value: float) -> LossSeen:
    return LossSeen(number, step, value, dtype, site)


def _later(scalar: Any, make: Callable[[float], Any]) -> None:
    """Record a scalar now where it is at hand, and when it is read where it is on a device."""
    if scalar.device.type == "xla":
        _waiting.append((scalar, make))
        if len(_waiting) >= _WAITING:
            _read_waiting()
    else:
        current().emit(make(float(scalar)))


def _read_waiting() -> None:
    values = _on_host([scalar for scalar, _ in _waiting])
    for value, (_, make) in zip(values, _waiting, strict=True):
        current().emit(make(float(value)))
    _waiting.clear()


def _on_host(tensors: list[Any]) -> list[Any]:
    """The tensors, with those of XLA fetched in one go."""
    if device.IS_EAGER:
        return [tensor.cpu() if tensor.device.type == device.TYPE else tensor for tensor in tensors]
    on_xla = [tensor for tensor in tensors if tensor.device.type == "xla"]
    if not on_xla:
        return tensors
    import _XLAC

    fetched = iter(_XLAC._xla_get_cpu_tensors(on_xla))
    return [next(fetched) if tensor.device.type == "xla" else tensor for tensor in tensors]


def _before_step(optimizer: Any, args: Any, kwargs: Any) -> None:
    import torch

    if not torch.compiler.is_compiling():
        guarded(_record_step, optimizer)


def _after_step(optimizer: Any, args: Any, kwargs: Any) -> None:
    import torch

    if torch.compiler.is_compiling():
        return
    session = current()
    site = frames.site()
    guarded(session.optimizer_stepped, _optimizers.get(optimizer, 0), site)
    session.stop_if_due(site)


def _record_step(optimizer: Any) -> None:
    import torch

    global _steps
    _steps += 1
    parameters = [item for group in optimizer.param_groups for item in group["params"]]
    if optimizer not in _optimizers:
        _optimizers[optimizer] = len(_optimizers)
        # Kept for the end of the run: an optimizer that lives in a function is gone by then.
        _held[_optimizers[optimizer]] = parameters
        _record_parameters(_optimizers[optimizer], end=False)
        _perturb(parameters, float(SETTINGS.get("XLAPORT_PERTURB") or 0))
    gradients = [sharded.local(item.grad.detach()) for item in parameters if item.grad is not None]
    dense = [item.coalesce().values() if item.is_sparse else item for item in gradients]
    squares = [torch.linalg.vector_norm(item.float()) for item in dense]
    by_device = {item.device: [other for other in squares if other.device == item.device] for item in squares}
    site = frames.site()
    # Gradients of several devices are a fault of the port that its own run speaks of.
    first = next(iter(by_device.values()), [torch.zeros(())])
    make = functools.partial(
        _make_step, _steps, _optimizers[optimizer], len(parameters), len(gradients), _fingerprints(), site
    )
    _later(torch.linalg.vector_norm(torch.stack(first)), make)


def _make_step(
    step: int,
    optimizer: int,
    parameters: int,
    with_gradient: int,
    generators: dict[str, int],
    site: Site | None,
    gradient: float,
) -> StepSeen:
    return StepSeen(step, optimizer, gradient, parameters, with_gradient, generators, site)


def _fingerprints() -> dict[str, int]:
    import torch

    found = {"torch": torch.get_rng_state().numpy().tobytes(), "random": repr(random.getstate()).encode()}
    if "numpy" in sys.modules:
        state = sys.modules["numpy"].random.get_state()
        found["numpy"] = state[1].tobytes() + repr(state[2:]).encode()
    return {name: zlib.crc32(state) for name, state in found.items()}


def _perturb(parameters: list[Any], amount: float) -> None:
    """Change each weight and gradient by a rounding's worth: how far that carries tells rounding from a fault."""
    if not amount:
        return
    import torch

    generator = torch.Generator().manual_seed(1)

    def noise(like: Any) -> Any:
        drawn = torch.empty(like.shape, dtype=torch.float32).normal_(generator=generator)
        return amount * drawn.to(like.device, like.dtype)

    with torch.no_grad():
        gradients = [
            sharded.local(item.grad) for item in parameters if item.grad is not None and not item.grad.is_sparse
        ]
        count = sum(item.numel() for item in gradients)
        size = math.sqrt(sum(float(item.float().square().sum()) for item in gradients) / max(count, 1))
        for parameter in map(sharded.local, parameters):
            parameter.mul_(1 + noise(parameter))
        for gradient in gradients:
            # What sums up to nearly 0 (a bias before a BatchNorm) is off by what it is summed of, and Adam asks but for
            # its sign. What nothing has reached stays 0.
            gradient.add_(torch.where(gradient != 0, size * noise(gradient), 0))


def _record_parameters(optimizer: int, end: bool) -> None:
    import torch

    names = _names()
    parameters = _held[optimizer]
    for place, (parameter, host) in enumerate(
        zip(parameters, _on_host([sharded.local(item.detach()) for item in parameters]), strict=True)
    ):
        shape, flat = sharded.as_made(parameter, host)
        values = flat[:: max(1, -(-flat.numel() // _VALUES))].double()
        current().emit(
            ParameterSeen(
                optimizer,
                place,
                sharded.plain(names.get(id(parameter), ""), parameter),
                shape,
                str(parameter.dtype).removeprefix("torch."),
                float(torch.linalg.vector_norm(flat.double())),
                tuple(values.tolist()),
                end,
            )
        )


def _names() -> dict[int, str]:
    """The name of each parameter in the outermost module that holds it."""
    import torch

    modules = [item for item in gc.get_objects() if issubclass(type(item), torch.nn.Module)]
    inner = {id(child) for item in modules for child in item.__dict__.get("_modules", {}).values()}
    names: dict[int, str] = {}
    for module in modules:
        if id(module) not in inner:
            for name, parameter in module.named_parameters():
                names.setdefault(id(parameter), name.removeprefix("module."))
    return names


def finish() -> None:
    """Read what still waits, and the parameters as they are now."""
    _read_waiting()
    for optimizer in _held:
        _record_parameters(optimizer, end=True)
