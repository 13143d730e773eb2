"""XP802: what only CUDA has, and no other rule spoke of."""

from __future__ import annotations

from collections.abc import Iterator

from xlaport.context import Context
from xlaport.rule import Applicability, Finding, Harm, Rule

from .._lib import host_only
from .._lib.distributed.names import is_of_several_devices
from .._lib.leftover import in_doubt, left, maybe
from .._lib.uses import Use


class CudaOnly(Rule):
    """Report what is left of CUDA.

    ## What it does
    Looks at each use of a name that belongs to CUDA after all other rules did, and reports those that none of
    them spoke of, with what the catalogue (`rules/cuda_api.toml`) says to do about it. Nothing is passed over.

    ## Why
    Most of these names raise without an NVIDIA GPU; the others return 0, or do nothing.

    ## Example
        start = torch.cuda.Event(enable_timing=True)
        start.record()

    is reported: events raise without an NVIDIA GPU. Measure time on the host, after waiting for the TPU:

        torch_xla.sync()
        xm.wait_device_ops()
        start = time.perf_counter()

    ## When it is wrong
    Where the code runs on a GPU only, on purpose.

    ## When it is left alone
    Code that only runs where CUDA is available (under a check that stays, or after a `return`), what other rules port,
    and names of other libraries.

    ## Sources
    - Measured on PyTorch 2.9 without an NVIDIA GPU, for each name of `rules/cuda_api.toml`.

    ## Related
    XP801, XP803, XP806.
    """

    code = "XP802"
    name = "cuda-only"
    summary = "names of CUDA that have to be ported by hand"
    applicability = Applicability.MANUAL
    harm = Harm.STOPS
    residual = True
    words = (
        "cuda",
        "cudnn",
        "cusparselt",
        "accelerator",
        "amp",
        "nccl",
        "distributed",
        "parallel",
        "profiler",
        "compile",
        "checkpoint",
        "cpp_extension",
        "autocast",
        "get_device_module",
        "AcceleratorError",
        "OutOfMemoryError",
        "attention",
    )

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each use of a name of CUDA that no rule spoke of."""
        yield from left(self, context, lambda use: self._concerns(context, use))
        yield from in_doubt(self, context)

    def check_possible(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each call that may be one of these, and may be of something else."""
        yield from maybe(self, context, lambda use: self._concerns(context, use))

    def _concerns(self, context: Context, use: Use) -> bool:
        if not use.is_torch or not use.concerns_us or is_of_several_devices(use.entry.name):
            return False
        return not host_only.seeds_a_gpu_it_does_not_use(context, use.node)
