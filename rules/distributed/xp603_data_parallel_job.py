"""XP603: a program that trains on several GPUs, one process for each."""

from __future__ import annotations

import os
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.rule import Applicability, Finding, Harm, Rule, Span, Trait, replaced_by
from xlaport.wording import Text

from .._lib.distributed import names
from .._lib.distributed.jobs import Job, job_of, own_part
from .._lib.distributed.obstacles import Obstacle
from .._lib.distributed.part import Part
from .._lib.distributed.saying import say
from .._lib.distributed.ways import Way


class DataParallelJob(Rule):
    """Run one process for each chip of a TPU.

    ## What it does
    Ports a program that trains with DistributedDataParallel in a group of NCCL, as a whole or not at all:

    - `init_process_group("nccl")` joins the XLA group, which finds the other processes itself. Options and variables
      that name the backend name XLA's, and a rank or a number of processes that the program has computed is read from
      the runtime after the join.
    - What torchrun starts under `if __name__ == "__main__":` becomes a function that `torch_xla.launch()` starts once
      for each chip. `mp.spawn(main, args=(world_size, …), nprocs=world_size)` becomes a launch, too, also where an
      option decides between it and one process, and where what it starts is a parameter. Only the processes can read
      their number, so they do. What `@hydra.main` runs is forked, since Hydra looks up the main module. torchrun starts
      such a program as well, with a process for each chip.
    - A program that torchrun starts and that cannot be taken apart so stays with it: one that runs without a group
      too, one without a main guard, one with a `--local_rank`. It still reads torchrun's variables; the default of the
      option is what torchrun says, since only torch.distributed.launch passed it.
    - `int(os.environ["LOCAL_RANK"])` and its like are read from the runtime under a launch.
    - Checks for enough GPUs are removed: a TPU has as many chips as it has.
    - `dist.barrier()` becomes a rendezvous, since the XLA backend's own does not wait. After `dist.all_reduce()`
      outside of a step and of a `forward()` the pending graph is run: otherwise it would run only in the process that
      reads its result. The same holds for `dist.broadcast()`, `dist.all_gather()` and `dist.reduce()`, which gives its
      sum to all. `async_op=True` and the `wait()` for it are removed: there is nothing to wait for.
    - An evaluation that one process does alone is done by all; what it prints and saves stays with the one.
    - `DistributedDataParallel` stays, with `gradient_as_bucket_view=True` instead of `device_ids`.
    - Where training, or an evaluation that is not understood, in one rank alone would hang the others, and nothing else
      keeps the program, it is launched with one process, on one chip.

    A program is one script and what it imports. A part that is not understood keeps all of it unchanged, and no other
    script of the project, unless both use its file. One finding names the line: a fixed number of processes, an
    operation that the XLA backend lacks, the device used before the processes start, a count of GPUs that the starting
    process needs.

    ## Why
    NCCL exists for NVIDIA GPUs only. On a TPU each process drives one chip. The XLA group averages the gradients within
    the graph of the step. A half of this, such as a group without the launch, would train in one process, or each
    process for itself.

    ## Example
        from os import environ
        import torch.distributed as dist
        from torch.nn.parallel import DistributedDataParallel

        def main():
            dist.init_process_group("nccl")
            rank = int(environ["LOCAL_RANK"])
            model = DistributedDataParallel(make_model().cuda(rank), device_ids=[rank])
            train(model)

        if __name__ == "__main__":
            main()

    becomes

        import torch.distributed as dist
        from torch.nn.parallel import DistributedDataParallel

        def main():
            dist.init_process_group("xla", init_method="xla://")
            rank = xr.local_ordinal()
            model = DistributedDataParallel(make_model().cuda(rank), gradient_as_bucket_view=True)
            train(model)

        def _mp_fn(index):
            main()


        if __name__ == "__main__":
            torch_xla.launch(_mp_fn)

    ## When it is wrong
    The batch of a step is the sum of those of all processes, and a TPU may have another number of chips than the
    machine had GPUs. `find_unused_parameters=True` reads the device once per step. An evaluation that all
    processes do draws its random numbers in all of them.

    ## When it is left alone
    Another backend than nccl, launchers of frameworks, `ReduceOp.AVG` and gathers of objects, collectives within a
    step, ranks that another launcher than torchrun gives (mpiexec, srun, a script that sets `RANK` itself), and
    whatever else keeps a part of the program from being understood: then the whole program stays. Without `--unsafe`
    or `--multi` it is reported only.

    ## Sources
    - Measured on torch_xla 2.9 and PyTorch 2.9, on the CPU backend of XLA.
    - Read in the source of torch_xla 2.9.
    - PyTorch/XLA, PJRT runtime: https://docs.pytorch.org/xla/release/r2.7/learn/pjrt.html
    - PyTorch, torch.distributed: https://docs.pytorch.org/docs/stable/distributed.html

    ## Related
    XP601, XP605, XP606, XP607, XP610, XP815.
    """

    code = "XP603"
    name = "data-parallel-job"
    summary = "one process for each chip: launch, process group, ranks, DDP"
    applicability = Applicability.UNSAFE
    harm = Harm.STOPS
    # A job is ported as a whole: each file is shown in which something of it can stand, down to a lone collective.
    traits = (Trait.OWN_PROCESSES,)
    words = (
        "nccl", "NCCL", "distributed", "Distributed", "spawn", "RANK", "WORLD_SIZE", "MASTER_", "device_count",
        "__main__", "rank", "master", "is_main", "main_process", "gpu",
    )  # fmt: skip
    across = ("__main__", "RANK", "WORLD_SIZE", "MASTER_", "nccl", "NCCL")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for the file's part of the job."""
        job = job_of(context)
        if job is None or not job.is_nccl:
            return
        part = own_part(context, job)
        if job.obstacle is not None:
            if context.view.own.file == job.place:
                yield self._kept(context, job.obstacle, part)
        elif part.edits:
            said = self._text(context, job, part)
            yield self.finding(_place(context, part), said, *part.edits, imports=tuple(part.imports))

    def _kept(self, context: Context, obstacle: Obstacle, part: Part) -> Finding:
        where, what, change = obstacle.where(context), obstacle.what.message, obstacle.what.recipe
        if not part.starts:
            said = say("XP603.kept_part", where=where, what=what, change=change)
        else:
            launch = context.target.symbol("launch").qualified
            said = say("XP603.kept", where=where, what=what, change=change, launch=launch)
        return self.finding(_place(context, part), said)

    def _text(self, context: Context, job: Job, part: Part) -> Text:
        launch = context.target.symbol("launch").qualified
        own = context.view.own.file
        entry = os.path.basename(own if own in job.entries else job.entries[0])
        is_alone, by_torchrun = context.view.is_alone, job.way is Way.TORCHRUN
        if not part.starts and own not in job.entries:
            return say("XP603.part", by="torchrun" if by_torchrun else f"{launch}()", script=entry)
        if job.hangs is not None:
            where, what = job.hangs.where(context), job.hangs.what
            script = "It" if is_alone else f"`{entry}`"
            return say("XP603.one", script=script, where=where, what=what.message, change=what.recipe)
        if not by_torchrun:
            return say("XP603.launch", launch=launch, script="the script" if is_alone else f"`python {entry}`")
        script = "it" if is_alone else f"`{entry}`"
        if "SLURM_" in context.module.text:
            return say("XP603.slurm", script=script)
        return say("XP603.torchrun", script=script)


def _place(context: Context, part: Part) -> Span:
    if part.starts:
        return context.span(part.starts[0])
    spans = [span for edit in part.edits if (span := replaced_by(edit)) is not None]
    if spans:
        return spans[0]
    used = (node for node in context.module.nodes if names.is_distributed(context, node) is not None)
    return context.place(next(used, context.module.tree.body[0]))
