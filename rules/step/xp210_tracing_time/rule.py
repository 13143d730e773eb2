"""XP210: timing that does not wait."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from xlaport.context import Context
from xlaport.facts.frequency import is_on_every_pass
from xlaport.facts.loops import LOOPS
from xlaport.facts.module import LoopNode, walk_block
from xlaport.rule import Applicability, Finding, Harm, Import, InsertStatement, Rule, Trait

from ..._lib import host_only
from ..._lib.one_line import one_line
from ..._lib.series import series
from ..._lib.step import waiting
from ..._lib.step.saying import say
from .timed import Timed, timed_blocks, timed_spans

_BARRIER = "XP201"
"""The rule that gives loops their barriers."""


class TracingTime(Rule):
    """Wait for the device before the clock is read.

    ## What it does
    Finds time differences (`time.time()`, `time.perf_counter()`, ...) over work of the TPU in which nothing waits for
    it: no read, no `xm.wait_device_ops()`, no `torch.cuda.synchronize()`. A stopwatch, a property or a decorator may
    be what looks at the clock. After a whole loop, or outside of loops, it puts the wait before the clock is read;
    inside a loop's step it reports, as it does where a context looks at the clock, `with Timer():`. It also reports
    an `xm.wait_device_ops()` in each step.

    ## Why
    Neither the operations nor `torch_xla.sync()` wait for the TPU: such a difference is the time that Python takes to
    build the graph (measured on torch_xla 2.9: steps whose graph takes 0.35 s, with `torch_xla.sync()` at their end,
    took 0.00 s each). CUDA does not wait for its kernels either, but its queue is short enough that the time of
    many steps came out nearly right.

    ## Example
        import torch_xla
        model = nn.Linear(4, 1).to(device)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        start = time.time()
        for x in DataLoader(torch.zeros(8, 4)):
            model(x).mean().backward()
            optimizer.step()
            torch_xla.sync()
        print("epoch:", time.time() - start)

    becomes

        import torch_xla
        model = nn.Linear(4, 1).to(device)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        start = time.time()
        for x in DataLoader(torch.zeros(8, 4)):
            model(x).mean().backward()
            optimizer.step()
            torch_xla.sync()
        xm.wait_device_ops()
        print("epoch:", time.time() - start)

    ## When it is wrong
    In each step, a wait makes host and TPU take turns, and no step is prepared while another one runs: there, time
    every n-th step, or the whole epoch.

    ## When it is left alone
    Times of the host alone (loading, waiting for a batch), limits of time, and differences in which something waits for
    the device already, or may.

    ## Sources
    - Measured on torch_xla 2.9 and PyTorch 2.9, on the CPU backend of XLA.

    ## Related
    XP204, XP212, XP201.
    """

    code = "XP210"
    name = "tracing-time"
    summary = "time that is measured without waiting for the device"
    applicability = Applicability.SAFE
    harm = Harm.WRONG
    traits = (Trait.LAZY_GRAPH,)
    words = ("time", "imer", "counter(", "monotonic", "_ns(", "now(", "wait_device_ops")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each time difference that does not wait."""
        if host_only.stays_on_host(context):
            return
        seen: set[ast.stmt] = set()
        for timed in (*timed_spans(context), *timed_blocks(context)):
            work = self._work(context, timed.span, timed.rolling)
            if (
                work is None
                or timed.end in seen
                or self._waits(context, timed)
                or host_only.runs_on_host(context, work)
            ):
                continue
            seen.add(timed.end)
            yield self._finding(context, timed)
        yield from self._in_each_step(context)

    def _in_each_step(self, context: Context) -> Iterator[Finding]:
        """The first wait in the steps of a loop, in each of them; XP212 speaks of those beside CUDA's events."""
        wait = context.target.symbol("wait_device_ops").qualified
        seen: set[LoopNode] = set()
        for call in context.module.calls:
            loop = context.loops.around(call) if context.resolve(call.func) == wait else None
            if loop is None or loop.node in seen or not is_on_every_pass(context.module, loop.node, call):
                continue
            seen.add(loop.node)
            if not any(isinstance(n, ast.Attribute) and n.attr == "elapsed_time" for n in walk_block(loop.node.body)):
                yield self.finding(
                    context.span(call),
                    say("XP210.each_step"),
                    applicability=Applicability.MANUAL,
                )

    def _finding(self, context: Context, timed: Timed) -> Finding:
        sync, sync_imports = context.symbol("sync", timed.end)
        wait, wait_imports = context.symbol("wait_device_ops", timed.end)
        needed = not self._is_cut(context, timed)
        if isinstance(timed.end, ast.With | ast.AsyncWith):
            case = "XP210.block-in-step" if context.step_code.in_step(timed.end) else "XP210.block"
            text = say(case, sync=sync, wait=wait, timer=one_line(context, timed.difference))
            return self.finding(context.place(timed.difference), text, applicability=Applicability.MANUAL)
        code = f"{sync}()\n{wait}()" if needed else f"{wait}()"
        imports: tuple[Import, ...] = (*(sync_imports if needed else ()), *wait_imports)
        if timed.rolling is not None or context.step_code.in_step(timed.end):
            return self.finding(
                context.span(timed.difference),
                say("XP210.step", sync=sync, wait=wait, line=context.line(timed.end)),
            )
        if self._is_cut_later(context, timed):
            line = context.line(timed.end)
            return self.finding(context.span(timed.difference), say("XP210.later", wait=wait, line=line))
        return self.finding(
            context.span(timed.difference),
            say("XP210.waits", calls=series(f"`{call}`" for call in code.splitlines())),
            InsertStatement(context.span(timed.end), code, before=True),
            imports=imports,
        )

    # -- what is timed ---------------------------------------------------------------------------------

    def _work(self, context: Context, span: Sequence[ast.stmt], rolling: LoopNode | None) -> ast.AST | None:
        """What the device does in a span: a step, a model, or a loop of them."""
        if rolling is not None and context.loops.step_loop(rolling) is None:
            return None
        statements = list(span)
        effects = context.loops.effects(statements)
        found = effects.steps or effects.backward or effects.model
        if found is not None:
            return found if rolling is not None or self._is_all(context, statements) else None
        loops = (context.loops.step_loop(n) for n in walk_block(statements) if isinstance(n, LOOPS))
        direct = next((loop.evidence for loop in loops if loop is not None), None)
        if direct is not None:
            return direct
        return next((s for s in statements if context.loops.runs_step_loop([s])), None)

    def _is_all(self, context: Context, statements: list[ast.stmt]) -> bool:
        """Whether a span without loops times the device alone: nothing is called behind its work."""
        if context.loops.runs_step_loop(statements):
            return True
        last = max(
            i for i, s in enumerate(statements) if (e := context.loops.effects([s])).steps or e.backward or e.model
        )
        return all(
            context.loops.stepping.is_barrier(node) or (context.resolve(node.func) or "").startswith("builtins.")
            for node in walk_block(statements[last + 1 :])
            if isinstance(node, ast.Call)
        )

    def _waits(self, context: Context, timed: Timed) -> bool:
        """Whether something in the span waits for the device, or might."""
        statements = [*timed.span, timed.end]
        if any(self._may_wait(context.of(function.facts), function.node.body) for function in timed.functions):
            return True
        if timed.rolling is None:
            return self._may_wait(context, statements)
        if waiting.waits(context, statements):
            return True
        if waiting.shows_kept(context, timed.rolling):
            return True
        if self._is_summed(context, timed):
            return waiting.reads(context, statements) or any(self._logs(s) for s in timed.rolling.body)
        loop = timed.rolling
        return any(
            is_on_every_pass(context.module, loop, read.node) or self._is_beside(context, read.node, timed)
            for read in context.reads.within(statements)
        ) or waiting.calls_reader(context, [s for s in statements if not isinstance(s, ast.If)])

    def _may_wait(self, context: Context, statements: list[ast.stmt]) -> bool:
        """Whether statements wait for the device, or read it, or might."""
        if waiting.waits(context, statements) or waiting.reads(context, statements):
            return True
        return waiting.hands_back_a_read(context, statements)

    def _is_summed(self, context: Context, timed: Timed) -> bool:
        """Whether the times of many passes are added up, to which a read now and then adds what was missing."""
        parent = context.module.parents[timed.difference]
        if isinstance(parent, ast.AugAssign):
            return True
        return isinstance(parent, ast.Call) and isinstance(parent.func, ast.Attribute) and parent.func.attr == "update"

    def _logs(self, statement: ast.stmt) -> bool:
        """``if i % n == 0: progress.display(i)``, which shows meters, and reads what they hold."""
        return isinstance(statement, ast.If) and any(
            isinstance(s, ast.Expr) and isinstance(s.value, ast.Call) for s in statement.body
        )

    def _is_beside(self, context: Context, read: ast.AST, timed: Timed) -> bool:
        """Whether a read stands in the same branch as the look at the clock."""
        around = next((p for p in context.module.ancestors(timed.end) if isinstance(p, ast.If)), None)
        return around is not None and around in context.module.ancestors(read)

    # -- whether the graph is cut ------------------------------------------------------------------------

    def _is_cut(self, context: Context, timed: Timed) -> bool:
        """Whether all work of the span has been cut by its barriers."""
        found = False
        for statement in timed.span:
            loop = context.loops.step_loop(statement) if isinstance(statement, LOOPS) else None
            if loop is not None:
                found = loop.cut_by_loader or bool(loop.barriers)
            elif context.loops.runs_step_loop([statement]):
                found = self._cuts_its_loops(context, statement)
            elif context.steps.work.works(statement, None):
                found = bool(context.loops.effects([statement]).barriers)
            elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
                found = found or context.loops.stepping.is_barrier(statement.value)
        return found

    def _cuts_its_loops(self, context: Context, statement: ast.stmt) -> bool:
        """Whether all work of the functions that a statement calls is in step loops with barriers."""
        functions = [f for n in walk_block([statement]) if isinstance(n, ast.Call) for f in context.loops.run_by(n)]
        for function in functions:
            loops = context.loops.elsewhere(function.facts)
            effects = loops.function_effects(function.node)
            if effects.model is not None or effects.steps is not None or effects.backward is not None:
                return False
            inside = (loops.step_loop(n) for n in walk_block(function.node.body) if isinstance(n, LOOPS))
            found = [loop for loop in inside if loop is not None]
            if not found or not all(loop.cut_by_loader or loop.barriers for loop in found):
                return False
        return bool(functions)

    def _is_cut_later(self, context: Context, timed: Timed) -> bool:
        """Whether the loop in the span is to get its barrier: the next look finds it."""
        loops = [context.loops.step_loop(s) for s in timed.span if isinstance(s, LOOPS)]
        return _BARRIER in context.codes and any(
            loop is not None and not loop.barriers and not loop.cut_by_loader for loop in loops
        )
