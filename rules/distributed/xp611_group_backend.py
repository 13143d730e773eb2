"""XP611: the group that several processes join, by the backend of the target."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.rule import Applicability, Finding, Harm, RemoveArgument, Replace, Rule, Trait

from .._lib.distributed import group, names
from .._lib.distributed.saying import say
from .._lib.texts import is_for_people

_DEVICES = ("device_ids", "output_device")


class GroupBackend(Rule):
    """Let the processes of a program talk through the TPU's backend.

    ## What it does
    Where a text chooses NCCL as the backend of `torch.distributed`, in a call, a default or a comparison, it names the
    TPU's. `DistributedDataParallel` loses `device_ids` and `output_device`: a process has one device.

    ## Why
    No TPU has NCCL: the processes stop as they join. All else of `torch.distributed` stays as it is.

    ## Example
        import torch.distributed as dist
        from torch.nn.parallel import DistributedDataParallel

        dist.init_process_group("nccl")
        model = DistributedDataParallel(model, device_ids=[rank])

    becomes

        import torch.distributed as dist
        from torch.nn.parallel import DistributedDataParallel

        dist.init_process_group("tpu_dist")
        model = DistributedDataParallel(model)

    ## When it is wrong
    A TPU may have another number of chips than the machine had GPUs: the batch of a step is the sum of all processes'.

    ## When it is left alone
    Texts for people, backends that come from elsewhere, and targets whose processes talk in another way (XP603).

    ## Sources
    - Measured on PyTorch 2.13 and torch_tpu 0.2.0, on the CPU plugin of OpenXLA, with one process.

    ## Related
    XP601, XP603.
    """

    code = "XP611"
    name = "group-backend"
    summary = "the processes of a program join the TPU's group instead of NCCL's"
    applicability = Applicability.SAFE
    harm = Harm.STOPS
    traits = (Trait.TORCH_GROUPS,)
    words = ("nccl", "NCCL", *_DEVICES)

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each name of NCCL, and for each wrapper that is given devices."""
        for node in context.module.of_type(ast.Constant):
            if names.is_nccl(node) and not is_for_people(context, node):
                yield from self._backend(context, node)
        for call in context.module.calls:
            given = [k for k in call.keywords if k.arg in _DEVICES]
            if given and context.resolve(call.func) in names.WRAPPERS:
                edits = [RemoveArgument(context.span(call), context.span(keyword)) for keyword in given]
                yield self.finding(context.span(given[0]), say("XP611.devices", what=given[0].arg), *edits)

    def _backend(self, context: Context, node: ast.Constant) -> Iterator[Finding]:
        backend = context.target.group_backend
        said = say("XP611.backend", backend=node.value, own=backend)
        is_chosen = group.is_backend(context, node) or group.chooses(context, node) is not None
        if is_chosen and context.editable(node):
            yield self.finding(context.span(node), said, Replace(context.span(node), f'"{backend}"'))
        else:
            yield self.finding(context.place(node), say("XP611.unseen", backend=node.value, own=backend))
