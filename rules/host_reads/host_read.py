"""XP301: a host read in every step."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.loops import StepLoop
from xlaport.facts.reads import HostRead
from xlaport.rule import Applicability, Finding, Rule

from .. import host_only


class HostReadInStep(Rule):
    """Report values that every step fetches from the device.

    ## What it does
    Lists the host reads that a step loop makes on every pass: `.item()`, `float()`, `print`, f-strings,
    `.cpu()`, `if tensor`. Reads under an `if step % n == 0`, or another condition that changes from step to
    step, are logging and pass; one that is the same in every step (`if args.verbose:`) does not.

    ## Why
    The host traces the next step while the device runs this one. A read makes the host wait for the device
    first, so that the two take turns; on a TPU this is often the difference between a busy device and an
    idle one.

    ## Example
        model = nn.Linear(4, 1).to(device)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        total = 0.0
        for x in DataLoader(torch.zeros(8, 4)):
            loss = model(x).mean()
            loss.backward()
            optimizer.step()
            total += loss.item()

    is reported. Sum on the device, and read once, after the loop:

        total = torch.zeros((), device=device)
        for x in loader:
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
        seen: set[ast.AST] = set()
        for loop in () if host_only.stays_on_host(context) else context.loops.all():
            inner = [function for function in context.steps.helpers(loop) if function not in seen]
            seen.update(inner)
            for statement in [*loop.node.body, *(s for function in inner for s in function.body)]:
                if isinstance(statement, ast.For | ast.AsyncFor | ast.While):
                    continue
                found: dict[ast.stmt, list[HostRead]] = {}
                for read in context.reads.within([statement]):
                    if not read.proven and context.module.function(read.node) in inner:
                        continue  # `.item()` of something unknown, in a function that may do anything
                    if self._every_pass(context, loop, read) and context.editable(read.node):
                        found.setdefault(context.module.statement(read.node), []).append(read)
                for first, *others in found.values():
                    inside = set(ast.walk(first.node))
                    more = len([read for read in others if read.node not in inside])
                    yield self.finding(context.span(first.node), self._message(context, loop, first, more))

    def _every_pass(self, context: Context, loop: StepLoop, read: HostRead) -> bool:
        child: ast.AST = read.node
        for parent in context.module.ancestors(read.node):
            if parent is loop.node:
                return True
            if isinstance(parent, ast.If) and child is not parent.test and self._varies(parent.test, loop):
                return False
            if isinstance(parent, ast.For | ast.AsyncFor | ast.While | ast.ExceptHandler):
                return False
            child = parent
        return True

    def _varies(self, test: ast.expr, loop: StepLoop) -> bool:
        """Whether a condition may be true in one step and false in the next."""
        if isinstance(test, ast.BinOp) and isinstance(test.op, ast.Mod):
            return False  # `if step % 100:` is false once in a hundred steps
        bound = {n.id for n in ast.walk(loop.node) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}
        return any(isinstance(n, ast.Call) or (isinstance(n, ast.Name) and n.id in bound) for n in ast.walk(test))

    def _message(self, context: Context, loop: StepLoop, read: HostRead, others: int) -> str:
        sure = "" if read.proven else ", if that is a tensor,"
        more = f" (and {others} more in this statement)" if others else ""
        return (
            f"{read.how}{more}{sure} fetches a value from the device in every pass of the loop in line "
            f"{context.line(loop.node)}, so the host waits instead of preparing the next step: "
            f"{self._advice(context, read)}"
        )

    def _advice(self, context: Context, read: HostRead) -> str:
        statement = context.module.statement(read.node)
        if isinstance(statement, ast.AugAssign):
            target = context.module.segment(statement.target)
            return f"add to {target} on the device, and read it once after the loop"
        if isinstance(statement, ast.If | ast.While | ast.Assert):
            return "look at it in every n-th step only, or let torch.where() decide on the device"
        call = statement.value if isinstance(statement, ast.Expr) else None
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "append":
            values = context.module.segment(call.func.value)
            return f"append the tensor, detached, and read all of {values} at once after the loop"
        return "do this in every n-th step only"
