"""XP302: a host read before the barrier."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts import steps
from xlaport.facts.endings import ended_loop
from xlaport.facts.steps import Form, LateGuard, LateRead, Side
from xlaport.rule import (
    Applicability,
    Edit,
    Finding,
    Harm,
    Import,
    InsertStatement,
    MoveStatement,
    RemoveStatement,
    Replace,
    Rule,
    Trait,
)

from ..._lib import host_only
from ..._lib.host_reads.device_values import torch_name
from ..._lib.host_reads.handing_over import is_handed_over
from ..._lib.host_reads.inner_loops import is_in_loop_of_step
from ..._lib.host_reads.putting_off import put_off
from ..._lib.host_reads.saying import SYNC, also, code, code_of, say
from ..._lib.host_reads.seldom_used import used_now_and_then
from ..._lib.shapes.decisions import decisions
from ..._lib.shapes.read_numbers import is_baked
from .barrier_of_caller import BarrierOfCaller, barriers_of_callers
from .records_behind import Records, records_behind
from .whole_step import reads_the_whole_step


class EarlyRead(Rule):
    """Read values after the step has run.

    ## What it does
    In a step loop with a `torch_xla.sync()`, finds host reads that come before it. `total += loss.item()` moves after
    the sync as it is. Where the read holds work of the TPU, `d = out.mean().item()`, the work stays and only the read
    moves. Where a function that the step calls reads, the sync after its call moves into it. A dict that the step and
    its helpers fill with what they read, `log.update(self.update_critic(x))`, holds the tensors up to the sync, and is
    read behind it, all at one place, if nothing looks at it before; with `--unsafe`, what it computes of them, too:
    `hits.item() / len(x)`. A check that ends the program, `if not math.isfinite(loss_value): sys.exit(1)`, moves with
    the read, if `--unsafe` is given. A read that cannot move without changing the program is reported.

    ## Why
    A read before the sync splits the step's graph there: the step runs as two graphs (or runs its forward part twice),
    and both are compiled and executed (measured: 2 executions per step instead of 1).

    ## Example
        import torch_xla
        model = nn.Linear(4, 1)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        total = 0.0
        for x in DataLoader(torch.zeros(8, 4)):
            loss = model(x).mean()
            loss.backward()
            total += loss.item()
            optimizer.step()
            torch_xla.sync()

    becomes

        import torch_xla
        model = nn.Linear(4, 1)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        total = 0.0
        for x in DataLoader(torch.zeros(8, 4)):
            loss = model(x).mean()
            loss.backward()
            optimizer.step()
            torch_xla.sync()
            total += loss.item()

    ## When it is wrong
    A read is moved if its tensor is new in this step, and if nothing before the sync could tell: the statements in
    between neither use what it gives, nor change what it reads, nor leave the step, nor (where it prints, or feeds a
    list or a meter) print or run code that might look. The rest is reported, with the line that keeps it. A read of a
    parameter, or of another tensor that the step changes, stays: after the sync it would give the new value, unless it
    reads a copy. Where a check moves, one more update is made before it ends the program: it moves only if it does
    nothing but to tell and to end, if nothing catches that, and if nothing is saved before the sync.

    ## When it is left alone
    Reads after the sync; loops without one (XP201 adds it); the read of a value of the step before, which is there
    already; a read of all that a step computes, which runs it as one graph; a program for the CPU.

    ## Sources
    - Measured on torch_xla 2.9 and PyTorch 2.9, on the CPU backend of XLA.
    - PyTorch/XLA, Troubleshoot: https://docs.pytorch.org/xla/release/r2.7/learn/troubleshoot.html

    ## Related
    XP201, XP301, XP308.
    """

    code = "XP302"
    name = "read-before-barrier"
    summary = "a host read moves after the step's sync"
    applicability = Applicability.SAFE
    harm = Harm.WAITS
    traits = (Trait.LAZY_GRAPH,)
    words = ("item", "float", "int", "cpu", "tolist", "numpy", "print", "if")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each statement that reads too early."""
        if host_only.stays_on_host(context):
            return
        records = records_behind(context)
        taken = {record.barrier for together in records for record in together.records}
        yield from (self._into_function(context, f) for f in barriers_of_callers(context) if f.barrier not in taken)
        held = {read.node for together in records for read in together.reads}
        yield from (self._renewed(context, together) for together in records)
        for early in self._early(context):
            barrier, late = early.block[early.barrier], context.steps.late_read(early)
            if "XP308" in context.codes and used_now_and_then(context, early.statement):
                continue
            if any(read.node in held for read in early.reads):
                continue
            if isinstance(late, LateRead):
                yield self._moved(context, late, barrier)
                continue
            if (guard := context.steps.late_guard(early)) is not None:
                yield self._guarded(context, guard, barrier)
                continue
            first = early.reads[0]
            if all(is_handed_over(context, context.module.statement(read.node)) for read in early.reads):
                continue
            if reads_the_whole_step(context, early):
                continue
            if "XP403" in context.codes and ended_loop(context.module, first.node) is not None:
                continue
            if "XP415" in context.codes and first.node in decisions(context):
                continue
            if all(context.step_code.is_now_and_then(read.node) for read in early.reads):
                continue  # it says itself what is advised here
            if all(is_baked(context, read.node) for read in early.reads):
                continue
            if "XP306" in context.codes and is_in_loop_of_step(context, first.node, early.statement):
                continue
            yield self.finding(
                context.place(first.node),
                say(
                    "XP302.left",
                    read=code_of(context, first),
                    sync=code(context, barrier, SYNC),
                    line=context.line(barrier),
                    also=also(context, late),
                ),
            )

    def _into_function(self, context: Context, found: BarrierOfCaller) -> Finding:
        """The barrier stands behind the call of a function that reads: there it is too late."""
        sync, imports = context.symbol("sync", found.function)
        edits: list[Edit] = [RemoveStatement(context.span(found.barrier))]
        for cut in found.cuts:
            call = f"else:\n    {sync}()" if cut.side is Side.ELSE else f"{sync}()"
            edits.append(InsertStatement(context.span(cut.statement), call, before=cut.side is Side.BEFORE))
        return self.finding(
            context.span(found.barrier),
            say(
                "XP302.in-function",
                name=found.function.name,
                line=context.line(found.read.node),
                sync=code(context, found.barrier, SYNC),
            ),
            *edits,
            imports=imports,
        )

    def _renewed(self, context: Context, found: Records) -> Finding:
        """Dicts hold tensors up to the barrier, and are made of numbers behind it."""
        imports: tuple[Import, ...] = ()
        edits: list[Edit] = [Replace(context.span(node), text) for node, text in found.kept.items()]
        read, first = found.reads[0], found.records[0]
        for record in found.records:
            number, name = "value.item()", record.name
            if record.mixed:
                tensor, imports = torch_name(context, "Tensor", record.barrier)
                number += f" if isinstance(value, {tensor}) else value"
            line = f"{name} = {{name: {number} for name, value in {name}.items()}}"
            edits.append(InsertStatement(context.span(record.barrier), line, origin=context.span(read.node)))
        sync = code(context, first.barrier, SYNC)
        text = say("XP302.record", read=code_of(context, read), sync=sync, name=first.name)
        applicability = Applicability.UNSAFE if found.computes else Applicability.SAFE
        return self.finding(context.span(read.node), text, *edits, imports=imports, applicability=applicability)

    def _early(self, context: Context) -> Iterator[steps.EarlyRead]:
        """The early reads of this file's step loops, and of its functions that do the steps of others."""
        for loop in context.loops.all():
            yield from context.steps.early_reads(loop)
        for function, run in context.steps.passes.from_elsewhere():
            yield from context.steps.early_reads_in(function, run.loop)

    def _guarded(self, context: Context, late: LateGuard, barrier: ast.stmt) -> Finding:
        anchor, read = context.span(barrier), late.read
        span = context.span(read.read.node)
        lines = ", ".join(context.line(guard) for guard in late.guards)
        sync = code(context, barrier, SYNC)
        text = say("XP302.check", read=code_of(context, read.read), lines=lines, sync=sync)
        edits: list[Edit] = []
        if late.is_copied:
            tensor = context.module.segment(read.read.tensor)
            edits.append(Replace(span, f"{tensor}.detach().clone()"))
            source, start = context.module.segment(read.statement), context.span(read.statement).start
            inner = context.span(read.read.tensor)
            later = source[: inner.start - start] + read.target + source[inner.end - start :]
            edits.append(InsertStatement(anchor, later, origin=span))
        elif read.form is not Form.WHOLE:
            stays, later = put_off(context, read)
            edits += [stays, InsertStatement(anchor, later, origin=span)]
        elif read.statement not in late.guards:
            edits.append(MoveStatement(context.span(read.statement), anchor))
        edits += [MoveStatement(context.span(guard), anchor) for guard in late.guards]
        return self.finding(span, text, *edits, applicability=Applicability.UNSAFE)

    def _moved(self, context: Context, late: LateRead, barrier: ast.stmt) -> Finding:
        anchor = context.span(barrier)
        text = say("XP302.moved", read=code_of(context, late.read), sync=code(context, barrier, SYNC))
        span = context.span(late.read.node)
        if late.form is Form.WHOLE:
            return self.finding(span, text, MoveStatement(context.span(late.statement), anchor))
        stays, later = put_off(context, late)
        return self.finding(span, text, stays, InsertStatement(anchor, later, origin=span))
