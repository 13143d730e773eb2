"""The port draws the random numbers of its original, though XLA's generator is another one.

In the run for parity, whatever is drawn for an XLA tensor (and, where the original runs on a GPU, for one of CUDA) is
drawn on the host, from the generator that the
original uses when it runs on the CPU, and in the same order: initial weights, dropout masks, noise. So the two
runs can be compared with dropout on, and a GAN step by step. On a TPU the numbers will be others, as they are on
another GPU.

A tensor that lies in another order in memory (a transposed one) is filled in the order of its elements, in both runs:
the host would fill it in the order of its memory, which a tensor of XLA has not.

The background loader would draw ahead of the step (augmentation, in a loader without workers), so that the order
would be that of two racing threads: it loads in step here.
"""

from __future__ import annotations

import atexit
import os
import queue
import warnings
from collections.abc import Iterator
from typing import Any

from ..events import Loaded
from .notices import notice
from .session import current, guarded

_DRAWS = (
    "bernoulli",
    "bernoulli.p",
    "bernoulli_.Tensor",
    "bernoulli_.float",
    "exponential_",
    "multinomial",
    "native_dropout",
    "normal.Tensor_Tensor",
    "normal.Tensor_float",
    "normal.float_Tensor",
    "normal_",
    "random_",
    "random_.from",
    "random_.to",
    "randperm",
    "rrelu_with_noise",
    "uniform_",
)
"""The operators with a kernel on XLA that draw (torch_xla 2.9, tag ``nondeterministic_seeded``); all others of
this kind are computed by the host anyway, with its own generator."""
_OF_CUDA = (
    "_sample_dirichlet",
    "_standard_gamma",
    "binomial",
    "cauchy_",
    "geometric_",
    "log_normal_",
    "poisson",
    "randperm.generator",
)
"""What draws on CUDA, too; XLA leaves it to the host."""
_OVERWRITTEN = frozenset(
    {
        "bernoulli_.float",
        "cauchy_",
        "exponential_",
        "geometric_",
        "log_normal_",
        "normal_",
        "random_",
        "random_.from",
        "random_.to",
        "uniform_",
    }
)
"""Those that do not look at what they write into."""

_library: Any = None
_of_host: Any = None


def install() -> None:
    """Put the kernels and the loader in place; torch_xla has just been imported."""
    import torch_xla

    session = current()
    session.emit(Loaded("torch_xla", torch_xla.__version__, os.environ.get("PJRT_DEVICE", "CPU")))
    # Before torch_xla's own exit function, which ends the runtime that holds what is still to be read.
    atexit.register(session.finish, "exit")
    if os.environ.get("PJRT_DEVICE", "CPU") != "CPU":
        guarded(_exact)
    kernels("XLA", "xla", _DRAWS)
    _loader()


def install_on_gpu() -> None:
    """Put the kernels in place for an original that runs on a GPU."""
    kernels("CUDA", "cuda", (*_DRAWS, *_OF_CUDA))


def install_on_device(kind: str) -> None:
    """Put the kernels in place for a device that is none of PyTorch's own, of this type."""
    kernels("PrivateUse1", kind, (*_DRAWS, *_OF_CUDA))


def in_order() -> None:
    """Have the host fill each of its tensors in the order of the elements."""
    import torch

    global _of_host
    get_kernel = getattr(torch.library, "get_kernel", None)  # torch 2.9 and later
    if get_kernel is None:
        return
    _of_host = torch.library.Library("aten", "IMPL")
    for name in _OVERWRITTEN:
        base, _, overload = name.partition(".")
        op = getattr(getattr(torch.ops.aten, base), overload or "default")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # as below
            _of_host.impl(name, _in_order(get_kernel(op, "CPU")), "CPU", with_keyset=True)


def _in_order(kernel: Any) -> Any:
    import torch

    def drawn(keyset: Any, tensor: Any, *args: Any, **kwargs: Any) -> Any:
        if tensor.is_contiguous():
            return kernel.call_boxed(keyset, tensor, *args, **kwargs)
        plain = torch.empty(tensor.shape, dtype=tensor.dtype)
        kernel.call_boxed(keyset, plain, *args, **kwargs)
        return tensor.copy_(plain)

    return drawn


def _exact() -> None:
    """A TPU multiplies float32 in one pass of bfloat16 unless it is told to be exact (torch_xla 2.8 and later)."""
    from torch_xla import backends

    backends.set_mat_mul_precision("highest")


def kernels(key: str, kind: str, names: tuple[str, ...]) -> None:
    """Have the host draw for the tensors of a dispatch key, which lie on this type of device, by operators of these
    names.
    """
    import torch

    global _library
    _library = torch.library.Library("aten", "IMPL")
    for name in names:
        base, _, overload = name.partition(".")
        packet = getattr(torch.ops.aten, base, None)
        op = getattr(packet, overload or "default", None)
        if op is None:
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # "Overriding a previously registered kernel": that is the point
            _library.impl(name, _on_host(op, name in _OVERWRITTEN, kind), key, with_keyset=True)


def _on_host(op: Any, overwrites: bool, kind: str) -> Any:
    """The operator, computed on the host, its results brought to the device of this kind: ``xla``, say."""
    import torch

    written = [at for at, item in enumerate(op._schema.arguments) if item.alias_info and item.alias_info.is_write]

    def drawn(keyset: Any, *args: Any, **kwargs: Any) -> Any:
        guarded(notice, "device-draw", op._schema.name.removeprefix("aten::"))
        device = next(_devices(args, kwargs, kind), None)

        def host(item: Any, at: int | None = None) -> Any:
            if isinstance(item, torch.device):
                return torch.device("cpu")
            if not isinstance(item, torch.Tensor) or item.device.type != kind:
                return item
            return torch.empty(item.shape, dtype=item.dtype) if overwrites and at == 0 else item.cpu()

        on_host = [host(item, at) for at, item in enumerate(args)]
        result = op(*on_host, **{name: host(item) for name, item in kwargs.items()})
        for at in written:
            args[at].copy_(on_host[at].to(device))
        if written and op._schema.returns[0].alias_info:
            return args[written[0]]
        return tuple(item.to(device) for item in result) if isinstance(result, tuple) else result.to(device)

    return drawn


def _devices(args: tuple[Any, ...], kwargs: dict[str, Any], kind: str) -> Iterator[Any]:
    import torch

    for item in (*args, *kwargs.values()):
        if isinstance(item, torch.device):
            yield item
        elif isinstance(item, torch.Tensor) and item.device.type == kind:
            yield item.device


def _loader() -> None:
    """A batch is loaded when it is asked for; the barriers of the loader are where they were."""
    import torch
    from torch_xla.distributed.parallel_loader import ParallelLoader

    def init(
        self: Any,
        cpu_loader: Any,
        devices: Any,
        batchdim: int = 0,
        batches_per_execution: int = 1,
        *sizes: Any,
        input_sharding: Any = None,
        **more: Any,
    ) -> None:
        self._cpu_loader = cpu_loader
        self._devices = [torch.device(item) for item in devices]
        self._batchdim = batchdim
        self._batches_per_execution = batches_per_execution
        self._input_sharding = input_sharding
        self._exception_queue = queue.Queue()
        self._in_step = iter(cpu_loader)

    def next_item(self: Any, device: Any) -> Any:
        with torch.no_grad():
            return next((self.send_cpu_data_to_device([batch], device)[0] for batch in self._in_step), None)

    ParallelLoader.__init__ = init
    ParallelLoader.next_item = next_item
    ParallelLoader.close = lambda self: None
