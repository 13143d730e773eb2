"""XP201: the barrier of a step loop."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.frequency import is_on_every_pass
from xlaport.facts.loops import ADDS, UNSEEN, LoopKind, StepLoop
from xlaport.facts.module import walk_block
from xlaport.facts.steps import Cut, Side
from xlaport.rule import Applicability, Finding, Harm, Rule, Trait
from xlaport.wording import Text

from ..._lib import host_only
from ..._lib.showing import shows_now_and_then
from ..._lib.step.cutting import barrier
from ..._lib.step.saying import say
from ..._lib.step.traces import is_step_trace, traces_around
from ..._lib.step.waiting import SYNCHRONIZE
from .maybe_steps import maybe_steps, unseen_loops
from .several import asks, condition

_SAMPLING = (LoopKind.DENOISE, LoopKind.GENERATE)


class MissingBarrier(Rule):
    """Cut the graph once per step.

    ## What it does
    Puts one `torch_xla.sync()` into each step loop: after the last work of the step on the TPU, before the
    first read on the host that cannot wait, and before a `continue`, `break` or `return` that leaves the step after
    such work. Where the step ends in an `if` that reads, each branch gets its own call; where it ends in a
    function that steps and reads, the function gets it, also in another file. Under gradient accumulation each
    batch that the optimizer's step sums gets its own; where there may be only one, under `if n > 1`.
    A step loop is the innermost loop that steps an optimizer, that adds to the gradients such a step takes, that runs
    a model to evaluate, to denoise or to generate, that changes an input by its gradient, or in which an agent acts.
    `check --explain-facts` lists them, and what shows each.

    ## Why
    XLA does not run an operation when Python calls it: it adds it to a graph, which `torch_xla.sync()` runs.
    Without that call the graph grows with every step; a read such as `loss.item()` then compiles and runs a
    larger graph each time (measured: 9 steps, 9 compiles). With one call per step there is one graph,
    compiled once. A call before the read costs one execution per step, one after it costs two. Where reads alone run
    the graph, each runs what it needs, even what another read has run before, and leaves the rest to the next step. A
    device loader ends the graph at the next batch, which is after the reads of the step.

    ## Example
        model = nn.Linear(4, 1).to(device)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for x in DataLoader(torch.zeros(8, 4)):
            loss = model(x).mean()
            loss.backward()
            optimizer.step()
            print(loss.item())

    becomes

        model = nn.Linear(4, 1).to(device)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for x in DataLoader(torch.zeros(8, 4)):
            loss = model(x).mean()
            loss.backward()
            optimizer.step()
            torch_xla.sync()
            print(loss.item())

    ## When it is wrong
    The call changes no value. A second one in the same step would split its graph in two. After unseen code that reads
    all that it computes, as that of an agent may, nothing is left to run, and the call does nothing.

    ## When it is left alone
    Loops that have the call, a device loader or a step with one already; those that evaluate or act, read once in
    each iteration, and keep no tensor, since that read runs all there is; loops that prepare data, run once or
    do no step; the layers of a `forward()`; loops for which Lightning, Fabric or accelerate make the call; a program
    for the CPU, or a file's self-test under `if __name__ == "__main__":` that puts nothing on a device.
    Inside a profiler's trace the call raises: a trace around the whole loop is reported, not edited.

    ## Sources
    - Measured on torch_xla 2.9 and PyTorch 2.9, on the CPU backend of XLA.
    - PyTorch/XLA, PyTorch on XLA devices: https://docs.pytorch.org/xla/release/r2.8/learn/pytorch-on-xla-devices.html
    - PyTorch/XLA, Troubleshooting recompilations: https://docs.pytorch.org/xla/release/r2.8/perf/recompilation.html

    ## Related
    XP202, XP206, XP207, XP302.
    """

    code = "XP201"
    name = "missing-barrier"
    summary = "one torch_xla.sync() per step"
    applicability = Applicability.SAFE
    harm = Harm.RECOMPILES
    traits = (Trait.LAZY_GRAPH,)
    words = ("step", "model", "net", "backward", "no_grad", "train", "loader", "grad")
    across = ("step", "train", "model", "loader")
    after = ("XP202", "XP303")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each step loop without a barrier."""
        for loop in () if host_only.stays_on_host(context) else context.loops.all():
            if self._has_barrier(context, loop):
                continue
            body = loop.node.body
            if loop.cut_by_loader and not self._reads(context, body):
                continue
            cuts = context.steps.cuts(loop)
            if all(cut.side is Side.ELSEWHERE for cut in cuts):
                continue
            cuts = self._outside_traces(context, cuts, loop)
            sync, imports = context.symbol("sync", loop.node)
            several = condition(context, loop, cuts)
            yield self.finding(
                context.span(loop.node),
                self._text(context, loop, sync),
                *(barrier(context, cut, sync, several) for cut in cuts if cut.side is not Side.ELSEWHERE),
                imports=imports,
            )
        if not host_only.stays_on_host(context):
            yield from self._in_functions(context)

    def _in_functions(self, context: Context) -> Iterator[Finding]:
        """The barriers that functions of this file set for the step loops of others."""
        for function, run in context.steps.passes.from_elsewhere():
            if run.loop.barriers or (run.loop.cut_by_loader and not context.reads.within(function.body)):
                continue
            cuts = context.steps.cuts_in(function, run.loop)
            if not cuts or context.loops.function_effects(function).barriers:
                continue
            if any(traces_around(context, cut.statement) for cut in cuts):
                continue
            sync, imports = context.symbol("sync", function)
            place = f"line {context.line_of(run.loops.facts, run.loop.node)}"
            yield self.finding(
                context.span(cuts[0].statement),
                say("XP201.function", function=function.name, place=place, sync=sync),
                *(barrier(context, cut, sync) for cut in cuts),
                imports=imports,
            )

    def check_possible(self, context: Context) -> Iterator[Finding]:
        """Yield one for each loop that may step, by backward() or by what nobody sees, and for loops out of sight."""
        if host_only.stays_on_host(context):
            return
        sync, _ = context.symbol("sync", context.module.tree)
        for node, call in maybe_steps(context):
            what = call.func.attr if isinstance(call.func, ast.Attribute) else context.module.segment(call.func)
            text = say("XP201.gradients" if what == "backward" else "XP201.possible", what=what, sync=sync)
            yield self.finding(context.span(node), text)
        for call in unseen_loops(context):
            what = context.module.segment(call.func)
            yield self.finding(context.place(call), say("XP201.unseen", what=what, sync=sync))

    def _text(self, context: Context, loop: StepLoop, sync: str) -> Text:
        """What is wrong with a step loop that has no barrier."""
        if traces := traces_around(context, loop.node):
            return say("XP201.trace", sync=sync, line=context.line(traces[-1]))
        if loop.cut_by_loader or (loop.because not in (ADDS, UNSEEN) and self._is_run_by_reads(context, loop)):
            return say("XP201.reads", sync=sync)
        if loop.because == ADDS or context.steps.passes.accumulation(loop) is not None:
            return say("XP201.accumulation", sync=sync)
        return say("XP201.grows", sync=sync)

    def _is_run_by_reads(self, context: Context, loop: StepLoop) -> bool:
        """Whether each step reads, and carries nothing on that the reads leave."""
        body = loop.node.body
        read = list(context.reads.within(body))
        if loop.kind in (LoopKind.EVAL, LoopKind.ACT):
            return bool(read) or context.loops.calls_what_reads(body)
        return loop.kind in _SAMPLING and any(is_on_every_pass(context.module, loop.node, r.node) for r in read)

    def _outside_traces(self, context: Context, cuts: list[Cut], loop: StepLoop) -> list[Cut]:
        """The cuts behind the blocks of traces that they stand in; none where the whole loop stands in one."""
        if traces_around(context, loop.node):
            return []
        found: dict[Cut, None] = {}
        for cut in cuts:
            blocks = traces_around(context, cut.statement, loop.node)
            if not blocks:
                found[cut] = None
            elif isinstance(blocks[-1], ast.With | ast.AsyncWith):
                found[Cut(blocks[-1], Side.AFTER)] = None
        return list(found)

    def _reads(self, context: Context, body: list[ast.stmt]) -> bool:
        """Whether a step reads the device, itself or in what it calls, or may do so now and then."""
        return bool(
            context.reads.within(body) or context.loops.calls_what_reads(body) or shows_now_and_then(context, body)
        )

    def _has_barrier(self, context: Context, loop: StepLoop) -> bool:
        """Whether each step passes a barrier already, or a synchronisation that will become one."""
        if any(context.steps.cut_index(block) is not None for block in self._blocks_around(context, loop)):
            return True
        if any(is_step_trace(context, parent) for parent in traces_around(context, loop.evidence, loop.node)):
            return True
        waits = [
            node
            for node in walk_block(loop.node.body)
            if isinstance(node, ast.Call)
            and context.resolve(node.func) in SYNCHRONIZE
            and isinstance(context.module.parents[node], ast.Expr)
        ]
        evidence = set(context.module.ancestors(loop.evidence))
        return any(self._runs_with(context, call, evidence, loop) for call in [*loop.barriers, *waits])

    def _blocks_around(self, context: Context, loop: StepLoop) -> Iterator[list[ast.stmt]]:
        """The blocks of a loop that run where the step does."""
        yield loop.node.body
        for parent in context.module.ancestors(loop.evidence):
            if parent is loop.node:
                return
            if isinstance(parent, ast.stmt):
                yield context.module.block(parent)

    def _runs_with(self, context: Context, call: ast.AST, evidence: set[ast.AST], loop: StepLoop) -> bool:
        """Whether a barrier is under no condition that the step itself is not under."""
        for parent in context.module.ancestors(call):
            if parent is loop.node:
                return True
            if isinstance(parent, ast.If) and asks(context, loop, parent.test):
                continue
            if isinstance(parent, ast.If | ast.For | ast.While | ast.ExceptHandler) and parent not in evidence:
                return False
        return True
