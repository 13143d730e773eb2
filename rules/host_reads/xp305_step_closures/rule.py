"""XP305: logging beside the steps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from xlaport.context import Context
from xlaport.facts.keeping import tensor_names
from xlaport.facts.reads import HostRead
from xlaport.rule import (
    Applicability,
    Edit,
    Finding,
    Harm,
    InsertStatement,
    MoveStatement,
    RemoveStatement,
    Replace,
    Rule,
    Span,
    Trait,
)

from ..._lib import host_only
from ..._lib.host_reads.handing_over import Handing, handings
from ..._lib.host_reads.journals_here import computed_here, journals_of
from ..._lib.host_reads.log_runs import LogRun
from ..._lib.host_reads.saying import say
from ..._lib.numbered import numbered
from ..._lib.removal import removal
from ..._lib.series import series
from .log_writing import edits_of, is_function, place_of


class StepClosures(Rule):
    """Log in a thread of its own, beside the next step.

    ## What it does
    In a step loop, hands statements that only show what they read (`print`, `logging`, `tqdm` and its `set_postfix`,
    `add_scalar` of a `SummaryWriter`, `wandb.log`, files that stay open, functions of the project that only print) to
    `xm.add_step_closure(..., run_async=True)`: in every step, and under an `if step % n == 0`, too. Statements that
    are together are one closure, with the names that only they use (`value = loss.item()`). What they need is handed
    over as it is now: a tensor that a later step changes in place as a copy (`total.clone()`), and what the TPU has
    to compute (`out.mean()` of `out.mean().item()`) before `torch_xla.sync()`, so that the closure only reads. An
    object that shows what it holds (`progress.display(i)`, `print(losses)`) is copied, where it holds numbers, texts
    and detached tensors alone, and showing changes none of it. The sync moves after the log, and before each way out
    of the step in between; where it cannot, the closure runs at the sync of the next step, and a sync after the loop
    runs the last one. `MpDeviceLoader` runs closures at the next batch, and needs no other sync. A function that each
    step calls, and that makes the sync itself, logs the same way. What shows, behind a step loop that begins again and
    again, what that has added up becomes a closure with a sync of its own.

    So do the calls of a journal, in whichever files: functions of the project that keep what they get (`logger.mean()`
    adds it up) and show it now and then (`logger.dump()`). Each of them that a step makes becomes a closure, those of
    numbers of the host, too, so that they keep their order. What such a function computes of a tensor to read it, the
    host computes then.

    ## Why
    A read after the sync waits for the TPU, and the host does not prepare the next step in that time. A closure waits
    in a thread of its own (measured, for 0.05 s of the device and 0.03 or 0.08 s of the host: 0.053 and 0.083 s for a
    step that reads nothing, 0.089 and 0.141 s for one that reads after the sync, 0.058 and 0.084 s with the closure,
    0.063 and 0.085 s if each value is read one step late, 0.093 and 0.140 s with a closure without `run_async`). The
    process waits for the thread at its end.

    ## Example
        import torch_xla
        model = nn.Linear(4, 1).to(device)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for step, x in enumerate(DataLoader(torch.zeros(8, 4))):
            loss = model(x).mean()
            loss.backward()
            optimizer.step()
            torch_xla.sync()
            print(step, loss.item())

    becomes

        import torch_xla
        model = nn.Linear(4, 1).to(device)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for step, x in enumerate(DataLoader(torch.zeros(8, 4))):
            loss = model(x).mean()
            loss.backward()
            optimizer.step()
            xm.add_step_closure(
                lambda step, loss: print(step, loss.item()),
                args=(step, loss),
                run_async=True,
            )
            torch_xla.sync()

    ## When it is wrong
    The lines of closures keep their order, but come later than what the program prints itself, after the loop for one:
    so the fix is unsafe. An error in a closure is raised as a `RuntimeError` by a later sync, or, in the last one, not
    at all. A progress bar that is closed meanwhile does not show its last values.

    ## When it is left alone
    What is read and used further on: in a condition, a list, a meter, a return (XP303 leaves much of that on the
    TPU); a journal that something else looks at, or has by another name, which hands a value back that is used, or of
    which a call cannot be handed over, or is to stay as it is (`# xlaport: ignore`), in whichever file; what may be
    another by then and cannot be copied: a list that grows, an object that holds a model, a file or a tensor with its
    history, or that changes when it is shown; files that are closed and runs that end after the loop; what is shown
    behind a loop that runs once, or where something else is read there; what is shown under `redirect_stdout()` or
    `np.printoptions()`; a line before a `raise` or `sys.exit()`; loops without a sync in each step, and loops that
    generate or play, which run for what they show; functions that make the sync and return a value, or are compiled.

    ## Sources
    - Measured on torch_xla 2.9 and PyTorch 2.9, on the CPU backend of XLA.
    - Read in the source of torch_xla 2.9.

    ## Related
    XP301, XP302, XP303.
    """

    code = "XP305"
    name = "step-closures"
    summary = "log statements run beside the next step"
    applicability = Applicability.UNSAFE
    harm = Harm.WAITS
    traits = (Trait.LAZY_GRAPH,)
    words = ("print", "log", "add_", "info", "set_postfix", "set_description", "write", "item", "float")
    residual = True
    after = ("XP303", "XP306")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for the statements behind a barrier, and one for each before it."""
        if host_only.stays_on_host(context):
            return
        for handing in handings(context):
            yield self._finding(context, handing)
        for journal, _ in journals_of(context):
            for read in computed_here(context, journal):
                yield self._on_host(context, read)
        for _, statements in journals_of(context, held=True):
            for statement in statements:
                add, _ = context.symbol("add_step_closure", statement)
                yield self.finding(context.span(statement), say("XP305.held", name=add))

    def _on_host(self, context: Context, read: HostRead) -> Finding:
        """What a function of a journal computes of a tensor: on the host, which gets all of it there."""
        found = tensor_names(context.view.own, read.tensor)
        names = series(f"`{name}`" for name in dict.fromkeys(name.id for name in found))
        text = say("XP305.on-host", what=context.module.segment(read.tensor), names=names)
        return self.finding(
            context.span(read.node), text, *(Replace(context.span(name), f"{name.id}.cpu()") for name in found)
        )

    def _finding(self, context: Context, handing: Handing) -> Finding:
        runs, place = handing.runs, handing.place
        add, imports = context.symbol("add_step_closure", runs[0].last)
        sync, more = context.symbol("sync", runs[0].last)
        text = say("XP305.kept" if handing.runs[0].is_kept else "XP305.log", name=add)
        code = context.step_code
        if all(code.is_now_and_then(run.last) or not code.in_step(run.last) for run in runs):
            text = replace(text, harm=Harm.SLOWER.name)
        edits: list[Edit] = []
        for run, name in zip(runs, self._names(context, runs), strict=True):
            edits += edits_of(context, run, add, name)
        if place.moves is not None:
            edits.append(MoveStatement(context.span(place.moves[0]), context.span(place.moves[1])))
        if place.goes is not None:
            edits.append(RemoveStatement(context.span(place.goes)))
        if place.fork is not None:
            edits += (RemoveStatement(context.span(place.fork.inner)), removal(context, place.fork.other))
            edits.append(InsertStatement(context.span(place.fork.condition), f"{sync}()"))
        edits += (InsertStatement(context.span(exit), f"{sync}()", before=True) for exit in place.exits)
        if place.behind is not None:
            edits.append(InsertStatement(context.span(place.behind), f"{sync}()"))
        found = self.finding(
            place_of(context, runs[0]),
            text,
            *edits,
            imports=(
                *imports,
                *(i for run in runs for i in run.handed.imports),
                *(more if place.exits or place.behind is not None or place.fork is not None else ()),
            ),
        )
        # Where the barrier will stand, and what will be read where, is settled first.
        return self.finding(found.span, text) if self._is_to_change(context, handing, found) else found

    def _is_to_change(self, context: Context, handing: Handing, mine: Finding) -> bool:
        """Whether another finding of the step, or of its reads, has edits for the loop, which are made if mine are."""
        span, is_made = context.span(handing.loop.node), context.allows(mine)
        return any(
            isinstance(place, Span) and place.overlaps(span)
            for finding in context.found
            if finding.code.startswith(("XP2", "XP3")) and (context.allows(finding) or not is_made)
            for edit in finding.edits
            for place in vars(edit).values()
        )

    def _names(self, context: Context, runs: Sequence[LogRun]) -> Iterator[str]:
        """A name for the function of each run, which means nothing else in the file."""
        names = numbered("log")
        for run in runs:
            free = (name for name in names if context.names.is_free(name, run.last))
            yield next(free) if is_function(context, run) else ""
