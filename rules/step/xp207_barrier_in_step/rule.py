"""XP207: a barrier where none belongs."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.module import FunctionNode
from xlaport.rule import Applicability, Edit, Finding, Harm, InsertStatement, RemoveStatement, Rule, Trait

from ..._lib.step.saying import say
from ..._lib.step.traces import Block, is_step_trace, traces_around
from .inner_barriers import InnerBarrier, inner_barriers


class BarrierInStep(Rule):
    """Report barriers that cut a step in two, or that raise.

    ## What it does
    Finds `torch_xla.sync()`, `xm.mark_step()` and the like between the parts of one step, where the step has
    another such call: between the forward and the backward pass, between `backward()` and the optimizer's step,
    inside a function that the step calls, or inside a `forward()`.

    Also finds these calls inside `with xp.Trace(...)`, and moves them after the block where they end it.

    ## Why
    Each call runs a graph of its own: its results go to memory and come back for the next one, and nothing is
    fused across it (measured on torch_xla 2.9, for 9 steps: a call after `backward()` beside the one at the end
    made 2 graphs and 18 executions of 1 and 9; with one after the forward pass, too, 27 executions).

    In the block of an `xp.Trace` or `xp.StepTrace` the call raises `RuntimeError: Expecting scope to be empty`. The
    end of an `xp.StepTrace` runs the graph itself.

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
    If the step is split on purpose: one graph of it may take too long to compile, or more memory than there is.
    Nobody can see that in the code, so the fix is unsafe. Moving the call out of a trace is safe.

    ## When it is left alone
    The only call of an iteration; one for each of several optimizers; one before a read that the step needs, as an
    agent that acts has; one after an optimizer's step, in an inner loop, or under a condition that is not true in each
    step.

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
    harm = Harm.STOPS
    traits = (Trait.LAZY_GRAPH,)
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
                    say("XP207.loader", line=context.line(blocks[-1])),
                )
        for found in inner_barriers(context):
            if not traces_around(context, found.call):
                yield self._in_step(context, found)

    def _in_step(self, context: Context, found: InnerBarrier) -> Finding:
        call = f"{context.module.segment(found.call.func)}()"
        if found.removable:
            return self.finding(
                context.span(found.call), say("XP207.splits", call=call), RemoveStatement(context.span(found.statement))
            )
        what = say.phrase("XP207.forward")
        if found.loop is not None:
            what = say.phrase("XP207.loop", line=context.line(found.loop.node))
        return self.finding(context.span(found.call), say("XP207.splits_by_hand", call=call, what=what))

    def _in_trace(self, context: Context, call: ast.Call, blocks: list[Block]) -> Finding:
        outermost, statement = blocks[-1], context.module.statement(call)
        names = {"call": f"{context.module.segment(call.func)}()", "line": context.line(outermost)}
        if isinstance(statement, ast.Expr) and statement.value is call and not isinstance(outermost, FunctionNode):
            if self._ends(context, statement, outermost) and not self._steps(context, call):
                edits: list[Edit] = [RemoveStatement(context.span(statement))]
                text = say("XP207.ends_trace", **names)
                if not any(is_step_trace(context, block) for block in blocks):
                    edits.append(InsertStatement(context.span(outermost), context.module.segment(statement)))
                    text = say("XP207.after_trace", **names)
                return self.finding(context.span(call), text, *edits, applicability=Applicability.SAFE)
        return self.finding(context.span(call), say("XP207.in_trace", **names))

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
