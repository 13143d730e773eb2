"""XP206: a barrier for each batch that the optimizer's step only sums."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.module import walk_block
from xlaport.facts.steps import Side
from xlaport.rule import Applicability, Finding, InsertStatement, RemoveStatement, Rule

from .. import host_only


class BarrierPerBatch(Rule):
    """Cut the graph once per optimizer step, not once per batch that the step sums.

    ## What it does
    Under gradient accumulation, moves a barrier that every batch passes to the optimizer's step: into its `if`, or
    behind the `continue` that passes over it, where no batch reads the device outside of it.

    ## Why
    Each barrier is an execution. With one for each of `n` batches, a step is `n` executions of two or three
    different graphs; with one, it is a single graph (measured with n = 3, on torch_xla 2.9: 12 executions and 3
    graphs became 4 and 1, with equal weights).

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
    The one graph holds the activations of all its batches: where that does not fit into the memory of the device,
    the barrier has to stay with the batch. This is why the fix is unsafe.

    ## When it is left alone
    A step whose batches are each read, or each stepped; a barrier that stands in the branch of the optimizer's step
    already; loops with two barriers; a step under another condition than the count of batches.

    ## Sources
    - Measured on torch_xla 2.9 and PyTorch 2.9, on the CPU backend of XLA.

    ## Related
    XP201, XP207.
    """

    code = "XP206"
    name = "barrier-per-batch"
    summary = "under gradient accumulation, one barrier per optimizer step"
    applicability = Applicability.UNSAFE
    words = ("backward",)

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each barrier that could stand with the optimizer's step."""
        for loop in () if host_only.stays_on_host(context) else context.loops.all():
            window = context.steps.passes.accumulation(loop)
            reads = context.reads.within(loop.node.body)
            if window is None or context.steps.passes.reads_outside(window, loop, reads):
                continue
            barriers = [
                statement
                for statement in context.steps.passes.beside(window, loop)
                if isinstance(statement, ast.Expr) and statement.value in loop.barriers
            ]
            places = context.steps.cuts(loop)
            stepping = set(walk_block(window.body))
            within = all(cut.statement in stepping for cut in places)
            if len(barriers) != len(loop.barriers) or len(barriers) != 1 or not places or not within:
                continue
            barrier = context.module.segment(barriers[0])
            yield self.finding(
                context.span(barriers[0]),
                f"{barrier} runs for each batch, though the step in line {context.line(loop.evidence)} sums several: "
                "there it would make one graph of them all. Keep it here if that graph needs more memory than there is",
                RemoveStatement(context.span(barriers[0])),
                *(InsertStatement(context.span(c.statement), barrier, before=c.side is Side.BEFORE) for c in places),
            )
