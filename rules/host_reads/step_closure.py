"""XP305: logging beside the steps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xlaport.context import Context
from xlaport.rule import Applicability, Edit, Finding, InsertStatement, MoveStatement, RemoveStatement, Rule, Span

from .. import host_only
from .handing_over import Handing, handings
from .log_runs import LogRun
from .log_writing import edits_of, is_function, place_of


class StepClosures(Rule):
    """Log in a closure that runs beside the next step. Only where it is asked for: `--select XP,XP305 --unsafe`.

    ## What it does
    In a step loop with a barrier in its body, hands the log statements that read tensors (`print`, `logging`,
    `wandb.log`, `add_scalar` of a `SummaryWriter`) to `xm.add_step_closure(..., run_async=True)`, before the barrier.
    Tensors, and whatever else may be another by then, are arguments; only names that are bound once are captured.
    The rule is left out unless its whole code is in `--select`: neither the default nor `--select XP3` asks for it.
    `--select XP,XP305` adds it to all others.

    ## Why
    A read behind the barrier waits for the device, in which time the host does not prepare the next step. A closure
    runs in a thread of its own behind the barrier (measured on torch_xla 2.9, where the device takes 0.2 s and the host
    0.1 s: 0.32 s for a step that reads, 0.23 s with the closure, 0.22 s without either). The values still go to the
    host in each step: where every n-th step is enough, log every n-th step.

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
    A line may come later than what is printed behind the loop, so the fix is unsafe. A closure runs at the next
    barrier: where the loop may be left between the two, nothing is rewritten. An error in a closure comes as a
    `RuntimeError` from a later barrier. Without `run_async`, a closure would read at the barrier, and wait there.

    ## When it is left alone
    Without its code in `--select`, all. With it: statements that use the value further on, loggers that are not known,
    loops without a barrier in each pass, and loops that may be left before the barrier.

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
    words = ("print", "log", "add_", "info", "set_postfix", "set_description", "write")
    residual = True

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for the statements behind a barrier, and one for each before it."""
        for handing in () if host_only.stays_on_host(context) else handings(context):
            yield self._finding(context, handing)

    def _finding(self, context: Context, handing: Handing) -> Finding:
        runs, place = handing.runs, handing.place
        add, imports = context.symbol("add_step_closure", runs[0].last)
        sync, more = context.symbol("sync", runs[0].last)
        edits: list[Edit] = []
        if self._is_to_change(context, handing):
            # Where the barrier will stand, and what will be read where, is settled first.
            return self.finding(place_of(context, runs[0]), self._message(handing, add))
        for run, name in zip(runs, self._names(context, runs), strict=True):
            edits += edits_of(context, run, add, name)
        if place.moves is not None:
            edits.append(MoveStatement(context.span(place.moves[0]), context.span(place.moves[1])))
        if place.goes is not None:
            edits.append(RemoveStatement(context.span(place.goes)))
        edits += (InsertStatement(context.span(exit), f"{sync}()", before=True) for exit in place.exits)
        if place.behind is not None:
            edits.append(InsertStatement(context.span(place.behind), f"{sync}()"))
        return self.finding(
            place_of(context, runs[0]),
            self._message(handing, add),
            *edits,
            imports=(*imports, *(more if place.exits or place.behind is not None else ())),
        )

    def _message(self, handing: Handing, add: str) -> str:
        others = sum(len(run.statements) for run in handing.runs) - 1
        many = f" (and {others} more {'statement' if others == 1 else 'statements'})" if others else ""
        return (
            f"the host waits for the device to log this{many}: {add}() logs it in a thread of its own, beside the next "
            "step; its line may come later than what is printed without the device"
        )

    def _is_to_change(self, context: Context, handing: Handing) -> bool:
        """Whether another finding of the step, or of its reads, has edits for the loop."""
        span = context.span(handing.loop.node)
        return any(
            isinstance(place, Span) and place.overlaps(span)
            for finding in context.found
            if finding.code.startswith(("XP2", "XP3"))
            for edit in finding.edits
            for place in vars(edit).values()
        )

    def _names(self, context: Context, runs: Sequence[LogRun]) -> Iterator[str]:
        """A name for the function of each run, which means nothing else in the file."""
        number = 1
        for run in runs:
            if not is_function(context, run):
                yield ""
                continue
            while not context.names.is_free(name := "log" if number == 1 else f"log_{number}", run.last):
                number += 1
            number += 1
            yield name
