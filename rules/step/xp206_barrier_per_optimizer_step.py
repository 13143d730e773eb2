"""XP206: one barrier for all the batches that an optimizer's step sums."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.loops import StepLoop
from xlaport.facts.module import walk_block
from xlaport.facts.passes import Window
from xlaport.facts.steps import Cut, Side
from xlaport.rule import Applicability, Edit, Finding, Harm, Import, RemoveStatement, Rule, Trait

from .._lib import host_only
from .._lib.step.cutting import barrier
from .._lib.step.saying import say


class BarrierPerOptimizerStep(Rule):
    """Cut the graph once per batch that the optimizer's step sums, not once per optimizer step.

    ## What it does
    Under gradient accumulation, finds a `torch_xla.sync()` that only the optimizer's step runs, in its `if` or after
    the `continue` that skips it, and calls it after each batch instead. Where the `if` reads from the TPU after its
    call, that one stays, and the other batches get theirs in an `else`.

    ## Why
    Without the call after each batch, the graph of a step holds all of them, one after the other: it takes as many
    times as long to compile, and its activations as much more memory. Measured for a GPT of 6 layers and 16 batches a
    step, on the CPU backend of XLA: compiling took 435 s, and a step 1.36 to 1.95 s; with the call after each batch
    82 s, and 0.86 s. There are three graphs then, compiled once: the first batch, those in between, and the last with
    the optimizer's step.

    ## Example
        import torch_xla
        model = nn.Linear(4, 1).to(device)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for i, x in enumerate(DataLoader(torch.zeros(8, 4))):
            loss = model(x).mean() / 4
            loss.backward()
            if (i + 1) % 4 == 0:
                optimizer.step()
                optimizer.zero_grad()
                torch_xla.sync()

    becomes

        import torch_xla
        model = nn.Linear(4, 1).to(device)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for i, x in enumerate(DataLoader(torch.zeros(8, 4))):
            loss = model(x).mean() / 4
            loss.backward()
            if (i + 1) % 4 == 0:
                optimizer.step()
                optimizer.zero_grad()
            torch_xla.sync()

    ## When it is wrong
    The call changes no value. For a model so small that starting an execution takes longer than running it, one graph
    for all batches may be faster.

    A third way is `gradient_accumulation()` of `torch_xla.experimental.gradient_accumulation`: the batches become one
    loop on the device, which is compiled as one batch is. It needs them stacked in one tensor, and their work in a
    function that only returns its loss. Measured for 8 batches of a small model: 2 executions a step instead
    of 9, compiled in 20 s instead of 11, with other dropout masks for each batch.

    ## When it is left alone
    A loop in which each batch has its call, or that a device loader feeds; a step under another condition than
    the count of batches. Batches in a loop of their own, with the step after it, are XP201's.

    ## Sources
    - Measured on torch_xla 2.9 and PyTorch 2.9, on the CPU backend of XLA.

    ## Related
    XP201, XP202, XP207.
    """

    code = "XP206"
    name = "barrier-per-optimizer-step"
    summary = "under gradient accumulation, one barrier per batch"
    applicability = Applicability.SAFE
    harm = Harm.RECOMPILES
    traits = (Trait.LAZY_GRAPH,)
    words = ("backward",)

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each loop over batches of which only the optimizer's step passes a barrier."""
        for loop in () if host_only.stays_on_host(context) else context.loops.all():
            window = context.steps.passes.accumulation(loop)
            if window is None or not loop.barriers or loop.cut_by_loader:
                continue
            stepping = set(walk_block(window.body))
            if not all(call in stepping for call in loop.barriers):
                continue
            edits, imports = self._edits(context, loop, window)
            text = say("XP206.each_batch") if edits else say("XP206.by_hand", sync=context.symbol("sync", loop.node)[0])
            yield self.finding(context.span(loop.barriers[0]), text, *edits, imports=imports)

    def _edits(self, context: Context, loop: StepLoop, window: Window) -> tuple[list[Edit], tuple[Import, ...]]:
        """What gives each batch its barrier; nothing where what runs in the other batches reads the device first."""
        sync, imports = context.symbol("sync", loop.node)
        stepping = set(walk_block(window.body))
        cuts = [cut for cut in context.steps.cuts(loop) if cut.statement not in stepping]
        edits: list[Edit] = []
        if window.body is window.guard.body:
            idle = self._idle(context, loop, window)
            if len(cuts) != 1 or cuts[0].side is Side.ELSE or len(idle) != len(loop.barriers):
                if window.guard.orelse:
                    return [], ()
                cuts, idle = [Cut(window.guard, Side.ELSE)], []
            edits += [RemoveStatement(context.span(statement)) for statement in idle]
        edits += [barrier(context, cut, sync) for cut in cuts]
        return edits, imports

    def _idle(self, context: Context, loop: StepLoop, window: Window) -> list[ast.stmt]:
        """The barriers at the end of what runs with the optimizer's step, with no read of the device behind them."""
        found: list[ast.stmt] = []
        for statement in reversed(window.body):
            value = statement.value if isinstance(statement, ast.Expr) else None
            if isinstance(value, ast.Call) and value in loop.barriers and not context.loops.stepping.is_step(value):
                found.append(statement)
            elif context.reads.within([statement]) or context.loops.calls_what_reads([statement]):
                break
        return found
