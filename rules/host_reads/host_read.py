"""XP301: a host read in every step."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.loops import StepLoop
from xlaport.facts.reads import HostRead
from xlaport.rule import Applicability, Finding, Rule


class HostReadInStep(Rule):
    """Report values that every step fetches from the device.

    ## What it does
    Lists the host reads that a step loop makes on every pass: `.item()`, `float()`, `print`, f-strings,
    `.cpu()`, `if tensor`. Reads under an `if step % n == 0` are logging and pass.

    ## Why
    The host traces the next step while the device runs this one. A read makes the host wait for the device
    first, so that the two take turns; on a TPU this is often the difference between a busy device and an
    idle one.

    ## Example
        for x, y in loader:
            ...
            total += loss.item()

    Sum on the device and read once, after the loop:

        total = torch.zeros((), device=device)
        for x, y in loader:
            ...
            total += loss.detach()
        print(total.item())

    ## When it is wrong
    Where the value decides what the next step does (early stopping, dynamic loss scaling), the wait is real.
    """

    code = "XP301"
    name = "item-in-step-loop"
    summary = "a host read at every step"
    applicability = Applicability.MANUAL
    words = ("item", "float", "int", "cpu", "tolist", "numpy", "print", "if")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each read that runs on every pass of a step loop."""
        for loop in context.loops.all():
            for statement in loop.node.body:
                if isinstance(statement, ast.For | ast.AsyncFor | ast.While):
                    continue
                for read in context.reads.within([statement]):
                    if self._every_pass(context, loop, read) and context.editable(read.node):
                        yield self.finding(context.span(read.node), self._message(context, loop, read))

    def _every_pass(self, context: Context, loop: StepLoop, read: HostRead) -> bool:
        child: ast.AST = read.node
        for parent in context.module.ancestors(read.node):
            if parent is loop.node:
                return True
            if isinstance(parent, ast.If) and child is not parent.test:
                return False
            if isinstance(parent, ast.For | ast.AsyncFor | ast.While | ast.ExceptHandler):
                return False
            child = parent
        return True

    def _message(self, context: Context, loop: StepLoop, read: HostRead) -> str:
        statement = context.module.statement(read.node)
        advice = "read it every n-th step only"
        if isinstance(statement, ast.AugAssign):
            target = context.module.segment(statement.target)
            advice = f"add to {target} on the device, and read it once after the loop"
        sure = "" if read.proven else ", if it is a tensor,"
        return (
            f"{read.how}{sure} fetches a value in every pass of the loop in line {context.line(loop.node)}: the host waits "
            f"for the device each time instead of preparing the next step; {advice}"
        )
