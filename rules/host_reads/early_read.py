"""XP302: a host read before the barrier."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.loops import StepLoop
from xlaport.facts.steps import Form, LateRead
from xlaport.rule import (
    Applicability,
    Edit,
    Finding,
    InsertStatement,
    MoveStatement,
    Replace,
    ReplaceStatement,
    Rule,
)

from .. import host_only


class EarlyRead(Rule):
    """Read values behind the barrier.

    ## What it does
    In a step loop with a barrier, finds host reads that stand before it. `total += loss.item()` moves behind
    the barrier as it is. Where the read holds device work, `d = out.mean().item()`, the work stays and only
    the read moves. A read that cannot move without changing the program is reported.

    ## Why
    A read before the barrier cuts the graph there: the step runs as two graphs (or runs its forward part
    twice), which is compiled and executed beside the step's own (measured: 2 executions per step in place
    of 1).

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
    Only reads into a local name are moved, and only over statements that neither use the name nor change
    what is read, so the values stay the same.
    """

    code = "XP302"
    name = "read-before-barrier"
    summary = "a host read moves behind the step's barrier"
    applicability = Applicability.SAFE
    words = ("item", "float", "int", "cpu", "tolist", "numpy", "print", "if")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each statement that reads too early."""
        for loop in () if host_only.stays_on_host(context) else context.loops.all():
            block = context.steps.block(loop)
            barrier = context.steps.barrier_index(block, loop)
            if barrier is None:
                continue
            for statement, found in context.steps.early_reads(loop):
                reads = [read for read in found if not self._is_of_an_inner_step(context, read.node, loop)]
                if not reads:
                    continue
                late = context.steps.late_read(block, block.index(statement), barrier)
                if late is not None:
                    yield self._moved(context, loop, late, block[barrier])
                    continue
                first = reads[0]
                why = self._blocker(context, statement, block[block.index(statement) + 1 : barrier])
                yield self.finding(
                    context.span(first.node) if context.editable(first.node) else context.span(statement),
                    f"{first.how} reads the device before the step's barrier in line {context.line(block[barrier])}, "
                    f"so the step runs in two parts, with two graphs. It stays, since {why}: read "
                    "behind the barrier if you can, or in every n-th step only",
                )

    def _is_of_an_inner_step(self, context: Context, node: ast.AST, loop: StepLoop) -> bool:
        """Whether a read stands in a step loop of its own inside this one."""
        inner = {other.node for other in context.loops.all()} - {loop.node}
        around = set()
        for parent in context.module.ancestors(node):
            if parent is loop.node:
                break
            around.add(parent)
        return not inner.isdisjoint(around)

    def _blocker(self, context: Context, statement: ast.stmt, between: list[ast.stmt]) -> str:
        """What keeps a read from moving behind the barrier."""
        if isinstance(statement, ast.If | ast.While | ast.For | ast.With | ast.Try):
            return f"it is part of the {type(statement).__name__.lower()} in line {context.line(statement)}"
        target = statement.targets[0] if isinstance(statement, ast.Assign) else getattr(statement, "target", None)
        if not isinstance(target, ast.Name):
            return "only a read into a local variable can be moved for sure"
        given = {n.id for n in ast.walk(statement) if isinstance(n, ast.Name)}
        for node in (n for s in between for n in ast.walk(s)):
            if isinstance(node, ast.Continue | ast.Break | ast.Return | ast.Raise | ast.Yield):
                return f"line {context.line(node)} may leave the step before the barrier"
            if isinstance(node, ast.Name) and node.id == target.id:
                return f"line {context.line(node)} uses {target.id} before the barrier"
            if isinstance(node, ast.Name) and node.id in given and not isinstance(node.ctx, ast.Load):
                return f"line {context.line(node)} changes {node.id} before the barrier"
        return "its value may change before the barrier"

    def _moved(self, context: Context, loop: StepLoop, late: LateRead, barrier: ast.stmt) -> Finding:
        statement, anchor = context.span(late.statement), context.span(barrier)
        message = (
            f"{late.read.how} reads the device before the step's barrier, so the step would run in two parts, with two "
            "graphs: the read moves behind the barrier"
        )
        span = context.span(late.read.node)
        if late.form is Form.WHOLE:
            return self.finding(span, message, MoveStatement(statement, anchor))
        text = context.module.segment(late.statement)
        tensor = context.module.segment(late.read.tensor)
        start, end = span.start - statement.start, span.end - statement.start
        name = late.target if late.form is Form.SAME_NAME else self._new_name(context, loop, late.target)
        reading = context.module.segment(late.read.node)
        offset = context.span(late.read.tensor).start - span.start
        read_text = reading[:offset] + name + reading[offset + len(tensor) :]
        edits: list[Edit]
        if late.form is Form.SAME_NAME:
            edits = [Replace(span, tensor)]
        else:
            edits = [ReplaceStatement(statement, f"{name} = {tensor}")]
        later = text[:start] + read_text + text[end:]
        return self.finding(span, message, *edits, InsertStatement(anchor, later, origin=span))

    def _new_name(self, context: Context, loop: StepLoop, target: str) -> str:
        stem = target.removeprefix("total_").removeprefix("running_").removeprefix("sum_")
        for name in (f"batch_{stem}", f"step_{stem}", f"{stem}_on_device"):
            if context.names.is_free(name, loop.node):
                return name
        number = 2
        while not context.names.is_free(f"batch_{stem}_{number}", loop.node):
            number += 1
        return f"batch_{stem}_{number}"
