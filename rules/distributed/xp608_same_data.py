"""XP608: replicas that all read the same data."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.roles import dotted
from xlaport.rule import Applicability, Finding, Harm, Rule, Trait

from .._lib.distributed import names
from .._lib.distributed.jobs import job_of
from .._lib.distributed.replicas import are_replicas, shares_data
from .._lib.distributed.saying import say

_LOADERS = frozenset({"torch.utils.data.DataLoader", "torch.utils.data.dataloader.DataLoader"})
_CHOOSES = frozenset({"sampler", "batch_sampler"})


class SameData(Rule):
    """Report replicas that all train on the same data.

    ## What it does
    Finds a `DataLoader(…, shuffle=True)` without a sampler in a program that starts one process for each chip, where
    no file of the program says which replica reads what: no sampler, no `num_replicas`, no shard.

    ## Why
    Each replica is a process of its own and reads all of its data. Without a share for each, an epoch
    costs as many times the work as there are chips, and the batches of the replicas come from the same rows.

    ## Example
        import torch_xla
        from torch.utils.data import DataLoader

        def train(index, data):
            loader = DataLoader(data, batch_size=8, shuffle=True)

        torch_xla.launch(train)

    is reported: a sampler has to share the rows out.

        import torch_xla
        import torch_xla.runtime as xr
        from torch.utils.data import DataLoader, DistributedSampler

        def train(index, data):
            sampler = DistributedSampler(data, num_replicas=xr.world_size(), rank=xr.global_ordinal())
            loader = DataLoader(data, batch_size=8, sampler=sampler)

        torch_xla.launch(train)

    ## When it is wrong
    Where the data set holds the share of a replica already, or draws at random without end.

    ## When it is left alone
    Loaders with a sampler, loaders that are not seen to be shuffled, and programs of one process.

    ## Sources
    - PyTorch, torch.utils.data: https://docs.pytorch.org/docs/stable/data.html
    - PyTorch/XLA, PJRT runtime: https://docs.pytorch.org/xla/release/r2.7/learn/pjrt.html

    ## Related
    XP603, XP607.
    """

    code = "XP608"
    name = "same-data"
    summary = "replicas without a DistributedSampler all train on the same data"
    applicability = Applicability.MANUAL
    harm = Harm.WRONG
    traits = (Trait.OWN_PROCESSES,)
    words = ("DataLoader",)

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each loader that every replica goes through as a whole."""
        job = job_of(context)
        if (job is not None and job.is_nccl) or not are_replicas(context) or shares_data(context):
            return
        for call in context.module.calls:
            given = {k.arg: k.value for k in call.keywords}
            shuffled = given.get("shuffle")
            if context.resolve(call.func) not in _LOADERS or _CHOOSES & set(given) or None in given:
                continue
            if not (isinstance(shuffled, ast.Constant) and shuffled.value is True):
                continue
            data = dotted(call.args[0]) if call.args else None
            symbols = names.spelled(context, "world_size", "global_ordinal")
            yield self.finding(context.place(call), say("XP608.shuffled", data=data or "dataset", **symbols))
