"""XP207: a barrier where none belongs."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.rule import Applicability, Edit, Finding, InsertStatement, RemoveStatement, Rule

from .doing import DOES
from .inner_barriers import InnerBarrier, inner_barriers
from .traces import Block, is_step_trace, traces_around


class BarrierInStep(Rule):
    """Report barriers that cut a step in two, or that raise.

    ## What it does
    Finds `torch_xla.sync()`, `xm.mark_step()` and the like between the parts of one step, where the step has
    another barrier: between the forward and the backward pass, between `backward()` and the optimizer's step,
    inside of a function that the step calls, or of a `forward()`. It says nothing of a barrier before a read that
    the step needs, behind an optimizer's step, under an `if` that is not true in each step, or in an inner loop.

    Also finds barriers inside of `with xp.Trace(...)`, and puts them behind the block where they end it.

    ## Why
    Each barrier runs a graph of its own: its results go to memory and come back for the next one, and nothing is
    fused across it (measured on torch_xla 2.9, for 9 steps: a barrier behind `backward()` beside the one at the end
    made 2 graphs and 18 executions of 1 and 9; with one behind the forward pass, too, 27 executions).

    In the block of an `xp.Trace` or `xp.StepTrace` a barrier raises `RuntimeError: Expecting scope to be empty`. The
    end of an `xp.StepTrace` is a barrier itself.

    ## Example
        import torch_xla
        model = nn.Linear(4, 1).to(device)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for x in DataLoader(torch.zeros(8, 4)):
            loss = model(x).mean()
            loss.backward()
            torch_xla.sync()
            optimizer.step()
            torch_xla.sync()

    becomes

        import torch_xla
        model = nn.Linear(4, 1).to(device)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for x in DataLoader(torch.zeros(8, 4)):
            loss = model(x).mean()
            loss.backward()
            optimizer.step()
            torch_xla.sync()

    ## When it is wrong
    Where the step is cut on purpose: one graph of it may take too long to compile, or more memory than there is.
    Nobody can see that in the code, so the fix is unsafe. Moving a barrier out of a trace is safe.

    ## When it is left alone
    The only barrier of a pass; one for each of several optimizers; one in front of a value that the step needs, as an
    agent that acts does; one under a condition that is not true in each step.

    ## Sources
    - Measured on torch_xla 2.9 and PyTorch 2.9, on the CPU backend of XLA.
    - PyTorch/XLA, Troubleshooting recompilations: https://docs.pytorch.org/xla/release/r2.8/perf/recompilation.html

    ## Related
    XP201, XP206, XP204.
    """

    code = "XP207"
    name = "barrier-in-step"
    summary = "a barrier in the middle of a step, or inside of a trace"
    applicability = Applicability.UNSAFE
    words = ("sync", "mark_step", "optimizer_step", "Trace")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each barrier that is in the wrong place."""
        for call in context.module.calls:
            if context.loops.stepping.is_barrier(call) and not _keeps_scopes(call):
                blocks = traces_around(context, call)
                if blocks:
                    yield self._in_trace(context, call, blocks)
        for loop in context.loops.all():
            if loop.cut_by_loader and (blocks := traces_around(context, loop.node)):
                yield self.finding(
                    context.span(loop.node.iter) if isinstance(loop.node, ast.For) else context.span(loop.node),
                    "the device loader cuts the graph at each batch, which raises here (RuntimeError: Expecting scope "
                    f"to be empty), since the trace of line {context.line(blocks[-1])} is open: open it in the loop, "
                    "around the work of one step",
                )
        for found in inner_barriers(context):
            if not traces_around(context, found.call):
                yield self._in_step(context, found)

    def _in_step(self, context: Context, found: InnerBarrier) -> Finding:
        barrier = context.module.segment(found.call.func)
        between = f"between line {context.line(found.before)} and line {context.line(found.after)}"
        if found.loop is None:
            what = f"{barrier}() cuts this forward() in two, {between}: each call of it runs as two graphs"
        else:
            what = (
                f"{barrier}() cuts the step in two, {between}: the loop in line {context.line(found.loop.node)} "
                f"{DOES[found.loop.kind]}, and has a barrier for each step already, so each step runs one graph more"
            )
        message = (
            f"{what}, and nothing is fused across it. Take it out, unless the step is cut on purpose, because one "
            "graph of it would compile for too long or need too much memory"
        )
        edits = [RemoveStatement(context.span(found.statement))] if found.removable else []
        return self.finding(context.span(found.call), message, *edits)

    def _in_trace(self, context: Context, call: ast.Call, blocks: list[Block]) -> Finding:
        barrier = context.module.segment(call.func)
        outermost = blocks[-1]
        kind = "@" if not isinstance(outermost, ast.With | ast.AsyncWith) else "with "
        message = (
            f"{barrier}() raises here (RuntimeError: Expecting scope to be empty), since the trace of line "
            f"{context.line(outermost)} is open"
        )
        edits: list[Edit] = []
        statement = context.module.statement(call)
        if isinstance(statement, ast.Expr) and statement.value is call and kind == "with ":
            if self._ends(context, statement, outermost) and not self._steps(context, call):
                if any(is_step_trace(context, block) for block in blocks):
                    edits = [RemoveStatement(context.span(statement))]
                    message += ", and its end cuts the graph itself: it goes"
                else:
                    edits = [
                        RemoveStatement(context.span(statement)),
                        InsertStatement(context.span(outermost), context.module.segment(statement)),
                    ]
                    message += ": it moves behind the block"
        if not edits:
            message += ": end the trace before it"
        return self.finding(
            context.span(call), message, *edits, applicability=Applicability.SAFE if edits else Applicability.MANUAL
        )

    def _ends(self, context: Context, statement: ast.stmt, outermost: Block) -> bool:
        """Whether a statement is the last that runs in a block, whatever happens in it."""
        node = statement
        while node is not outermost:
            parent = context.module.parents[node]
            if not isinstance(parent, ast.With | ast.AsyncWith) or parent.body[-1] is not node:
                return False
            node = parent
        return True

    def _steps(self, context: Context, call: ast.Call) -> bool:
        """Whether the call does more than cut: ``xm.optimizer_step(optimizer, barrier=True)``."""
        return context.loops.stepping.is_step(call)


def _keeps_scopes(call: ast.Call) -> bool:
    """``torch_xla.sync(reset_scope=False)``, which may run in a trace."""
    return any(
        k.arg == "reset_scope" and isinstance(k.value, ast.Constant) and k.value.value is False for k in call.keywords
    )
