"""XP601: what runs a program on several devices."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import replace

from xlaport.context import Context
from xlaport.rule import Applicability, Finding, Harm, Rule, Trait, line_reference
from xlaport.suppressions.comments import in_python

from .._lib.class_uses import is_type
from .._lib.distributed import group, names
from .._lib.distributed.batch_norm_class import is_sync_batch_norm
from .._lib.distributed.jobs import job_of
from .._lib.distributed.saying import say
from .._lib.leftover import left, maybe
from .._lib.series import series
from .._lib.shapes.helpers import is_helper
from .._lib.texts import is_for_people, is_key
from .._lib.uses import Use

_PORTS = "XP603"
_ON_CPU = frozenset({"gloo", "mpi"})


def _concerns(use: Use) -> bool:
    # What the catalogue says of the group's backend (`when`) is asked for the whole file.
    return names.is_of_several_devices(use.entry.name) and (
        use.concerns_us or (use.entry.when is not None and not use.entry.without)
    )


def _is_told(context: Context, use: Use) -> bool:
    if is_helper(context, use.node) or (is_sync_batch_norm(context, use.node) and is_type(context, use.node)):
        return False
    return _concerns(use)


def _once(context: Context, found: Iterable[Finding]) -> Iterator[Finding]:
    """What is said of several places in a file, said at the first of them; apart, where a comment keeps one."""
    kept = in_python(context.module.text)
    same: dict[tuple[str, str], list[Finding]] = {}
    for finding in found:
        if kept.keeps(finding.span.start, finding.code):
            yield finding
        else:
            same.setdefault((finding.message, finding.recipe), []).append(finding)
    for first, *others in same.values():
        lines = list(dict.fromkeys(line_reference(context.module.line_start(_line(context, f))) for f in others))
        also = say.phrase("also", lines=f"{'line' if len(lines) == 1 else 'lines'} {series(lines)}") if lines else ""
        yield replace(first, message=f"{first.message}{also}")


def _line(context: Context, finding: Finding) -> int:
    return context.module.position(finding.span.start)[0]


class SeveralDevices(Rule):
    """Report what runs a program on several GPUs.

    ## What it does
    Lists the calls that start processes, join them to a group, wrap the model for them and exchange tensors
    between them (`torch.distributed`, `DistributedDataParallel`, `DataParallel`, `torch.multiprocessing.spawn`),
    with what replaces them on a TPU, each once in a file.

    ## Why
    NCCL exists for NVIDIA GPUs only. On a TPU each process drives one device and is started by
    `torch_xla.launch()`; gradients are averaged by the XLA backend.

    ## Example
        torch.distributed.init_process_group("nccl")

    is reported: the backend is called "xla" on a TPU.

        import torch_xla.distributed.xla_backend
        torch.distributed.init_process_group("xla", init_method="xla://")

    ## When it is wrong
    Where the program runs on the CPU's processes on purpose (the gloo backend).

    ## When it is left alone
    Processes on the CPU (gloo, mpi), a group of XLA's, samplers with ranks of their own, names of other libraries, and
    texts. What XP603 ports as a whole is reported there.

    ## Sources
    - PyTorch, torch.distributed: https://docs.pytorch.org/docs/stable/distributed.html
    - PyTorch, DataParallel: https://docs.pytorch.org/docs/stable/generated/torch.nn.DataParallel.html
    - Measured on PyTorch 2.9 without an NVIDIA GPU, for each name of `rules/cuda_api.toml`.

    ## Related
    XP603, XP604, XP605, XP606, XP610.
    """

    code = "XP601"
    name = "several-devices"
    summary = "calls that run a program on several GPUs have to be ported by hand"
    applicability = Applicability.MANUAL
    harm = Harm.STOPS
    residual = True
    across = ("nccl", "NCCL")
    words = ("nccl", "NCCL", "distributed", "DistributedSampler", "parallel", "Parallel", "spawn", "SyncBatchNorm")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each such name."""
        starts = [call for call in context.module.calls if context.resolve(call.func) == names.START]
        job = job_of(context)
        if job is not None and job.is_nccl and _PORTS in context.codes:
            # The rest is spoken of there, once for the job.
            yield from _once(
                context, left(self, context, lambda use: use.entry.name in names.LOUD and _is_told(context, use))
            )
            return
        is_ported = job is not None and job.is_ported
        if not is_ported and (not starts or not all(self._chooses_another(context, call) for call in starts)):
            yield from _once(context, left(self, context, lambda use: _is_told(context, use)))
        elif not any(_backend(call) in _ON_CPU for call in starts):
            yield from _once(context, left(self, context, lambda use: _starts(context, use) and _is_told(context, use)))
        for node in context.module.nodes:
            if isinstance(node, ast.Constant) and names.is_nccl(node) and not context.is_spoken_of(node):
                if is_ported and group.only_tells(context, node):
                    continue  # (of NCCL, where the group is another)
                if not is_for_people(context, node) and not is_key(context, node):
                    yield self.finding(context.place(node), say("XP601.backend", backend=node.value))

    def check_possible(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each call that may be one of these, and may be of something else."""
        yield from maybe(self, context, lambda use: _is_told(context, use))

    def _chooses_another(self, context: Context, call: ast.Call) -> bool:
        """``init_process_group("gloo")``: the processes run on CPUs, or on XLA already."""
        methods = [*call.args[1:2], *(k.value for k in call.keywords if k.arg == "init_method")]
        if any(group.is_xla_s(context, method) for method in methods):
            return True
        backend, target = _backend(call), context.target
        if target.is_a(Trait.TORCH_GROUPS) and (backend is None or _finds_backend(context, backend)):
            return True  # it finds the target's own
        return backend in {*_ON_CPU, target.group_backend, target.device_type}


def _backend(call: ast.Call) -> object:
    """The backend that a start names; None where it names none, and an expression that is computed."""
    given = [*call.args[:1], *(k.value for k in call.keywords if k.arg == "backend")]
    return (given[0].value if isinstance(given[0], ast.Constant) else given[0]) if given else None


def _finds_backend(context: Context, backend: object) -> bool:
    """``get_default_backend_for_device(device)``, or a name that holds nothing else."""
    values = [b.value for b in context.names.reaching(backend)] if isinstance(backend, ast.Name) else [backend]
    calls = [value for value in values if isinstance(value, ast.Call)]
    are_all = bool(values) and len(calls) == len(values)
    return are_all and all(context.resolve(call.func) == names.DEFAULT_BACKEND for call in calls)


def _starts(context: Context, use: Use) -> bool:
    """Whether it starts processes that nothing but torch.distributed knows of."""
    return use.entry.name == names.SPAWN and context.target.is_a(Trait.TORCH_GROUPS)
