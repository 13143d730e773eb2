"""The CUDA original, run on the CPU: whatever it sends to ``cuda`` stays on the host.

The script takes the way it takes on a GPU, since that is the way that was ported: `torch.cuda.is_available()` is
true, and its own files read ``cuda:0`` as the device of a tensor. Torch and other libraries read the truth, so that
they choose no kernel that only a GPU has. A move to the GPU makes a copy, as it does there, and so does one back.
Precision is float32 all through: autocast and GradScaler do nothing here, nor, for that reason, in the port.

Random numbers are all drawn from the CPU's generator, in the order of the program (see `same_draws`).
"""

from __future__ import annotations

import functools
import os
import sys
import threading
from collections.abc import Callable
from typing import Any

from . import frames, played_gpu, sharded
from .notices import notice
from .session import guarded

_NEW = ("new_empty", "new_empty_strided", "new_full", "new_ones", "new_tensor", "new_zeros")
_LIKE = ("empty_like", "full_like", "ones_like", "rand_like", "randint_like", "randn_like", "zeros_like")
_FEW_MARKS = 256

_marks: dict[int, Any] = {}
_fewest = _FEW_MARKS


def install() -> None:
    """Put everything in place; torch has just been imported."""
    import torch
    import torch._dynamo  # every optimizer imports it, and it wants to find torch as it was

    _factories(torch)
    host_generators(torch)
    _tensors(torch)
    _loading(torch)
    _parallel(torch)
    plain_compilers(torch)
    full_precision(torch)
    played_gpu.install()


def _host(device: Any) -> Any:
    """The device that is meant in this run: `cpu` for any of CUDA's, by whatever name."""
    import torch

    if isinstance(device, torch.device):
        return torch.device("cpu") if device.type == "cuda" else device
    if isinstance(device, str):
        return "cpu" if device.partition(":")[0] == "cuda" else device
    return "cpu" if isinstance(device, int) and not isinstance(device, bool) else device


def _is_cuda(device: Any) -> bool:
    return _host(device) is not device


def _is_device(item: Any) -> bool:
    import torch

    return isinstance(item, (torch.device, str)) or (isinstance(item, int) and not isinstance(item, bool))


def _mark(tensor: Any) -> Any:
    """Remember that the storage of this tensor is on the GPU; what is computed from it is not followed."""
    import torch
    from torch.multiprocessing.reductions import StorageWeakRef

    global _fewest
    if isinstance(tensor, torch.Tensor) and tensor.layout is torch.strided:
        # The weak reference keeps the address from being given to another storage.
        storage = tensor.untyped_storage()
        _marks[storage._cdata] = StorageWeakRef(storage)
        if len(_marks) > _fewest:
            for key in [key for key, reference in _marks.items() if reference.expired()]:
                del _marks[key]
            _fewest = max(_FEW_MARKS, 2 * len(_marks))
    return tensor


def _is_marked(tensor: Any) -> bool:
    import torch

    return tensor.layout is torch.strided and tensor.untyped_storage()._cdata in _marks


def _factory(original: Any) -> Any:
    @functools.wraps(original)
    def made(*args: Any, **kwargs: Any) -> Any:
        device = kwargs.get("device")
        if device is None:
            return original(*args, **kwargs)
        kwargs["device"] = _host(device)
        kwargs.pop("pin_memory", None)
        result = original(*args, **kwargs)
        return _mark(result) if _is_cuda(device) else result

    return made


def _factories(torch: Any) -> None:
    from torch.utils import _device as module

    constructors = module._device_constructors()
    for home in (torch, torch.fft, torch.nested):
        for name in dir(home):
            original = getattr(home, name)
            if callable(original) and getattr(original, "__hash__", None) and original in constructors:
                setattr(home, name, _factory(original))
    for name in _LIKE:
        setattr(torch, name, _factory(getattr(torch, name)))
    for name in _NEW:
        setattr(torch.Tensor, name, _factory(getattr(torch.Tensor, name)))
    enter = module.DeviceContext.__init__

    @functools.wraps(enter)
    def context(self: Any, device: Any) -> None:
        enter(self, _host(device))

    module.DeviceContext.__init__ = context


def host_generators(torch: Any, host: Callable[[Any], Any] = _host) -> None:
    """Generators of CUDA are of the CPU. `host`: the device that is meant by another."""
    plain = torch.Generator

    def is_one(cls: Any, item: object) -> bool:
        """The default generators are instances, too."""
        return isinstance(item, plain)

    def make(cls: Any, device: Any = "cpu") -> Any:
        return plain.__new__(cls, host(device))

    # Since torch 2.11 the class has a metaclass of its own.
    kind: Any = type("AnyGenerator", (type(plain),), {"__instancecheck__": is_one})
    torch.Generator = kind("Generator", (plain,), {"__new__": make})


def _tensors(torch: Any) -> None:
    tensor = torch.Tensor
    plain, type_, device = tensor.to, tensor.type, tensor.device
    inside = threading.local()

    def to(self: Any, *args: Any, **kwargs: Any) -> Any:
        # Under a default device, torch looks the method up by its name once more, and finds ours.
        inside.busy = True
        try:
            return plain(self, *args, **kwargs)
        finally:
            inside.busy = False

    @functools.wraps(plain)
    def moved(self: Any, *args: Any, **kwargs: Any) -> Any:
        if getattr(inside, "busy", False):
            return plain(self, *args, **kwargs)
        if args and _is_device(args[0]):
            target, args = args[0], (_host(args[0]), *args[1:])
        elif "device" in kwargs and kwargs["device"] is not None:
            target = kwargs["device"]
            kwargs["device"] = _host(target)
        else:
            return to(self, *args, **kwargs)
        cuda = _is_cuda(target)
        if cuda and _is_marked(self):
            return _mark(to(self, *args, **kwargs))
        if len(args) < 4:  # device, dtype, non_blocking, copy
            kwargs["copy"] = True
        result = to(self, *args, **kwargs)
        return _mark(result) if cuda else result

    def to_cuda(self: Any, device: Any = None, non_blocking: bool = False, **kwargs: Any) -> Any:
        return moved(self, "cuda", **kwargs)

    def to_cpu(self: Any, **kwargs: Any) -> Any:
        return moved(self, "cpu", **kwargs)

    @functools.wraps(type_)
    def typed(self: Any, dtype: Any = None, *args: Any, **kwargs: Any) -> Any:
        return type_(self, _host_type(dtype), *args, **kwargs)

    def is_cuda(self: Any) -> bool:
        return frames.is_user(sys._getframe(1).f_code.co_filename)

    def device_of(self: Any) -> Any:
        if frames.is_user(sys._getframe(1).f_code.co_filename):
            return torch.device("cuda", 0)
        return device.__get__(self)

    tensor.to, tensor.cuda, tensor.cpu, tensor.type = moved, to_cuda, to_cpu, typed
    tensor.is_cuda, tensor.device = property(is_cuda), property(device_of)
    tensor.get_device = lambda self: 0
    tensor.pin_memory = lambda self, *args, **kwargs: self
    tensor.is_pinned = lambda self, *args, **kwargs: True
    tensor.record_stream = lambda self, stream: None
    default = torch.set_default_tensor_type
    torch.set_default_tensor_type = functools.wraps(default)(lambda kind: default(_host_type(kind)))


def _host_type(kind: Any) -> Any:
    return kind.replace("torch.cuda.", "torch.") if isinstance(kind, str) else kind


def _loading(torch: Any) -> None:
    load = torch.load

    @functools.wraps(load)
    def loaded(file: Any, map_location: Any = None, *args: Any, **kwargs: Any) -> Any:
        if isinstance(map_location, dict):
            map_location = {name: _host(device) for name, device in map_location.items()}
        return load(file, "cpu" if map_location is None else _host(map_location), *args, **kwargs)

    torch.load = loaded
    for storage in (torch.UntypedStorage, torch.TypedStorage):
        storage.cuda = lambda self, *args, **kwargs: self
    init = torch.utils.data.DataLoader.__init__

    @functools.wraps(init)
    def unpinned(self: Any, *args: Any, **kwargs: Any) -> None:
        init(self, *args, **kwargs)
        self.pin_memory = False

    torch.utils.data.DataLoader.__init__ = unpinned


def _parallel(torch: Any) -> None:
    """One process, one GPU: what spreads a model over several does nothing."""

    def init(self: Any, module: Any, *args: Any, **kwargs: Any) -> None:
        torch.nn.Module.__init__(self)
        self.module = module
        self.device_ids = [0]

    def forward(self: Any, *args: Any, **kwargs: Any) -> Any:
        return self.module(*args, **kwargs)

    # The class stays what it is: others derive from it, or ask whether a module is one.
    torch.nn.DataParallel.__init__, torch.nn.DataParallel.forward = init, forward
    convert = classmethod(lambda cls, module, *args, **kwargs: module)
    torch.nn.SyncBatchNorm.convert_sync_batchnorm = convert
    if not torch.distributed.is_available():
        return
    from torch.distributed import distributed_c10d

    wrapped = torch.nn.parallel.DistributedDataParallel.__init__

    @functools.wraps(wrapped)
    def distributed(
        self: Any, module: Any, device_ids: Any = None, output_device: Any = None, *a: Any, **k: Any
    ) -> None:
        wrapped(self, module, None, None, *a, **k)

    torch.nn.parallel.DistributedDataParallel.__init__ = distributed
    start = distributed_c10d.init_process_group

    @functools.wraps(start)
    def started(backend: Any = None, *args: Any, **kwargs: Any) -> None:
        kwargs.pop("device_id", None)
        if not args and kwargs.get("init_method", "env://") == "env://" and "RANK" not in os.environ:
            # What torchrun would say of one process; port 0 asks for a free one.
            for name, value in (("RANK", 0), ("WORLD_SIZE", 1), ("MASTER_PORT", 0)):
                os.environ[name] = str(value)
            os.environ["MASTER_ADDR"] = "127.0.0.1"
        start("gloo", *args, **kwargs)

    torch.distributed.init_process_group = distributed_c10d.init_process_group = started
    sharded.install()


def plain_compilers(torch: Any) -> None:
    """A compiled function computes what the function does."""

    def as_it_is(model: Any = None, *args: Any, **kwargs: Any) -> Any:
        return (lambda function: function) if model is None else model

    torch.compile = as_it_is
    torch.jit.script = as_it_is


def full_precision(torch: Any) -> None:
    """Autocast and GradScaler do nothing, and optimizers step as they do on the CPU."""
    autocast, scaler, optimizer = torch.autocast.__init__, torch.amp.GradScaler.__init__, torch.optim.Optimizer.__init__

    @functools.wraps(autocast)
    def full(
        self: Any, device_type: Any = "cuda", dtype: Any = None, enabled: bool = True, *args: Any, **kw: Any
    ) -> None:
        if enabled:
            guarded(notice, "autocast", str(dtype or torch.float16).removeprefix("torch."))
        autocast(self, "cpu", torch.bfloat16, False)

    @functools.wraps(scaler)
    def unscaled(self: Any, *args: Any, **kwargs: Any) -> None:
        scaler(self, "cpu", enabled=False)

    @functools.wraps(optimizer)
    def plain(self: Any, params: Any, defaults: dict[str, Any]) -> None:
        # CUDA's own ways to take the same step.
        optimizer(self, params, {**defaults, **{name: False for name in ("capturable", "fused") if defaults.get(name)}})

    torch.autocast.__init__ = full
    torch.amp.GradScaler.__init__ = unscaled
    torch.optim.Optimizer.__init__ = plain
