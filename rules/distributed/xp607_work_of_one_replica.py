"""XP607: work of all replicas that one of them does alone."""

from __future__ import annotations

from collections.abc import Iterator

from xlaport.context import Context
from xlaport.rule import Applicability, Finding, Harm, Rule, Trait

from .._lib.distributed import guards
from .._lib.distributed.jobs import job_of
from .._lib.distributed.replicas import are_replicas
from .._lib.distributed.saying import say


class WorkOfOneReplica(Rule):
    """Let all replicas do what one does alone.

    ## What it does
    Finds `if rank == 0:`, `if xm.is_master_ordinal():` and their like, in a program of several replicas, with work on
    the device under it: a run of the model, a backward pass, a step, a collective, a barrier. An evaluation that
    stands first in the block, or alone, is done by all replicas; what prints or saves stays with the one.

    ## Why
    Replicas run the same graphs, and wait for each other in the collectives. Where one of them runs a graph more, the
    next collective of the others meets another one of its own, and the whole pod hangs, mostly without a word.

    ## Example
        import torch_xla
        import torch_xla.core.xla_model as xm

        def train(index):
            model = torch.nn.Linear(2, 2).to(torch_xla.device())
            if xm.is_master_ordinal():
                loss = model(torch.zeros(1, 2).to(torch_xla.device())).mean()
                print(loss)

        torch_xla.launch(train)

    becomes

        import torch_xla
        import torch_xla.core.xla_model as xm

        def train(index):
            model = torch.nn.Linear(2, 2).to(torch_xla.device())
            loss = model(torch.zeros(1, 2).to(torch_xla.device())).mean()
            if xm.is_master_ordinal():
                print(loss)

        torch_xla.launch(train)

    ## When it is wrong
    Work without any collective can be done by one replica alone, as long as nothing of the others is pending then.
    The random numbers that the work draws are drawn by all now.

    ## When it is left alone
    A program of one process, and conditions on the rank under which something is only printed or saved.

    ## Sources
    - Read in the source of torch_xla 2.9.

    ## Related
    XP603, XP703, XP609.
    """

    code = "XP607"
    name = "work-of-one-replica"
    summary = "work on the device under a condition on the rank is done by all replicas"
    applicability = Applicability.UNSAFE
    harm = Harm.STOPS
    traits = (Trait.OWN_PROCESSES,)
    words = ("rank", "ordinal", "master", "is_main")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each condition on the rank with work of all under it."""
        job = job_of(context)
        if (job is not None and job.is_nccl) or not are_replicas(context):
            return  # (XP603 speaks of programs for NCCL)
        for guard, there, work in guards.of_one(context):
            edits = guards.opening(context, guard)
            line = context.line_of(there.view.own, work)
            said = say("XP607.moved", line=line) if edits else say("XP607.by_hand", line=line)
            yield self.finding(context.place(guard.test), said, *edits)
