"""XP610: batch normalization whose statistics are those of all processes."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.rule import Applicability, Finding, Harm, Replace, Rule, Trait

from .._lib.checkpoint.whole_models import saves_whole
from .._lib.class_uses import is_type
from .._lib.distributed import names
from .._lib.distributed.batch_norm_class import CONVERT, class_of
from .._lib.distributed.jobs import Job, job_of
from .._lib.distributed.saying import say
from .._lib.series import series
from .._lib.shapes.helpers import helper, is_helper
from .._lib.shapes.shared_helpers import Adding, can_import

_HELPER = "ReplicaSyncBatchNorm"


class SyncBatchNorm(Rule):
    """Normalize a batch by the statistics of all replicas.

    ## What it does
    In a program of several processes, `nn.SyncBatchNorm` and `nn.SyncBatchNorm.convert_sync_batchnorm(model)` become a
    small subclass that is added to the file, or where several files need it, to one that all of them import: the file
    that joins the group. Its `forward()` adds up the means and the mean squares of all replicas, and the way back adds
    up their gradients. The names of the weights, `isinstance(layer, nn.SyncBatchNorm)`, `eval()` and `momentum` stay.
    In one process it is plain batch normalization.

    ## Why
    PyTorch's own has kernels for GPUs only: with a joined group of processes, even of one, its `forward()` raises on
    XLA while the model trains. `torch_xla.core.functions.SyncBatchNorm` has other buffers, loops over the channels,
    and keeps another variance.

    ## Example
        import torch.distributed as dist
        from torch.nn.parallel import DistributedDataParallel

        def main():
            dist.init_process_group("nccl")
            model = nn.SyncBatchNorm.convert_sync_batchnorm(make_model())
            train(DistributedDataParallel(model))

    becomes

        import torch.distributed.nn.functional
        import torch.distributed as dist
        from torch.nn.parallel import DistributedDataParallel


        class ReplicaSyncBatchNorm(torch.nn.SyncBatchNorm):
            \"\"\"nn.SyncBatchNorm by operations of XLA: the statistics of a batch are those of all replicas.\"\"\"

            @classmethod
            def convert_sync_batchnorm(cls, module):
                module = torch.nn.SyncBatchNorm.convert_sync_batchnorm(module)
                for layer in module.modules():
                    if type(layer) is torch.nn.SyncBatchNorm:
                        layer.__class__ = cls
                return module

            def forward(self, input):
                replicas = torch.distributed.get_world_size() if torch.distributed.is_initialized() else 1
                if not self.training or replicas == 1:
                    return super(torch.nn.SyncBatchNorm, self).forward(input)
                self._check_input_dim(input)
                # In 32 bits at least. All replicas have as many rows, since they run the same graph.
                values = input.to(torch.promote_types(input.dtype, torch.float32))
                rest = [0, *range(2, input.dim())]
                moments = torch.stack([values.mean(rest), values.square().mean(rest)])
                mean, square = (torch.distributed.nn.functional.all_reduce(moments) / replicas).unbind()
                variance = (square - mean.square()).clamp(min=0)
                if self.track_running_stats:
                    count = replicas * input.numel() // input.size(1)
                    self.num_batches_tracked.add_(1)
                    weight = 1 / self.num_batches_tracked.to(mean.dtype) if self.momentum is None else self.momentum
                    unbiased = variance * count / (count - 1)
                    with torch.no_grad():
                        for kept, new in ((self.running_mean, mean), (self.running_var, unbiased)):
                            kept.add_((new.to(kept.dtype) - kept) * weight)
                shape = [1, -1] + [1] * (input.dim() - 2)
                output = (values - mean.view(shape)) * torch.rsqrt(variance + self.eps).view(shape)
                if self.affine:
                    output = output * self.weight.view(shape) + self.bias.view(shape)
                return output.to(input.dtype)


        def main():
            dist.init_process_group("nccl")
            model = ReplicaSyncBatchNorm.convert_sync_batchnorm(make_model())
            train(DistributedDataParallel(model))

    ## When it is wrong
    Where the replicas have batches of different sizes: torch weighs each by its rows, and on a TPU they would hang. The
    variance is the mean square less the square of the mean, as in Flax: it loses digits where a channel's mean is
    hundreds of times its standard deviation.

    ## When it is left alone
    A group of a part of the processes (`process_group=`), which is reported; programs of one process, in which
    PyTorch's own is plain batch normalization; the class as a type, in `isinstance` or a tuple of types. A script that
    saves whole models is reported: what it saves would name a class of that script, which no other one can load.

    ## Sources
    - Measured on PyTorch 2.9: two processes against `BatchNorm2d` on the whole batch, in outputs, gradients, buffers.
    - Read in the source of PyTorch 2.9 and torch_xla 2.9.

    ## Related
    XP601, XP603.
    """

    code = "XP610"
    name = "sync-batch-norm"
    summary = "SyncBatchNorm becomes a module that adds up its statistics over the replicas"
    applicability = Applicability.UNSAFE
    harm = Harm.WRONG
    traits = (Trait.OWN_PROCESSES,)
    words = ("SyncBatchNorm", CONVERT, names.START.rpartition(".")[2])

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each place that makes such a module."""
        job = job_of(context)
        if job is None or not (job.is_nccl or job.is_ported):
            return
        adding = Adding(self.check, self.code, self.applicability)
        yield from self._for_others(context, job, adding)
        for node, made in _made(context):
            defined = helper(context, _HELPER, node, adding) if context.editable(node) else None
            if defined is None or not _is_of_all(context, node):
                yield self.finding(context.place(node), say("XP610.by_hand"))
            elif (save := saves_whole(context)) is not None:
                said = say("XP610.whole_models", helper=_HELPER, line=context.line(save))
                yield self.finding(context.place(node), said)
            else:
                yield self.finding(
                    context.span(node),
                    say("XP610.replaced", helper=_HELPER, source=defined.source),
                    *defined.edits,
                    Replace(context.span(made), _HELPER),
                    imports=defined.imports,
                )

    def _for_others(self, context: Context, job: Job, adding: Adding) -> Iterator[Finding]:
        """The finding that brings the class into the file that joins the group, for several others that import it."""
        start = next((c for c in context.module.calls if context.resolve(c.func) == names.START), None)
        own = context.view.own.file
        if start is None or context.view.is_alone or own in job.entries or _HELPER in context.names.root.bindings:
            return
        if any(_is_wanted(context, node) for node, _ in _made(context)):
            return  # it comes here anyway
        takers = [file for file in context.view.importers if file in job.files and self._takes(context, file)]
        defined = helper(context, _HELPER, start, adding) if len(takers) > 1 else None
        if defined is not None and defined.edits:
            files = series(sorted(map(os.path.basename, takers)))
            yield self.finding(
                context.place(start),
                say("XP610.for_others", helper=_HELPER, source=defined.source, files=files),
                *defined.edits,
                imports=defined.imports,
                applicability=self.applicability,
            )

    def _takes(self, context: Context, file: str) -> bool:
        """Whether the rule puts the class into another file that can import it from this one."""
        there = context.view.facts(file)
        if there is None or file not in context.view.program.writable or not can_import(context, file):
            return False
        other = context.of(there)
        return any(_is_wanted(other, node) for node, _ in _made(other)) and saves_whole(other) is None


def _made(context: Context) -> Iterator[tuple[ast.Name | ast.Attribute, ast.expr]]:
    """The places that make such modules, and the part of each that names the class."""
    for node in context.module.of_type(ast.Name, ast.Attribute):
        made = class_of(context, node)
        if made is not None and not is_type(context, node) and not is_helper(context, node):
            yield node, made


def _is_wanted(context: Context, node: ast.expr) -> bool:
    """Whether the class takes the place of PyTorch's here."""
    return context.editable(node) and _is_of_all(context, node)


def _is_of_all(context: Context, node: ast.expr) -> bool:
    """Whether modules are made for the group of all processes."""
    call = names.called(context, node)
    if call is None:
        return True
    places = 1 if (context.resolve(node) or "").endswith(CONVERT) else 5
    if len(call.args) > places or any(isinstance(a, ast.Starred) for a in call.args):
        return False
    given = {k.arg: k.value for k in call.keywords}
    group = given.get("process_group")
    return None not in given and group is None and (places > 1 or set(given) <= {"module"})
