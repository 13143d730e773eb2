"""XP403: a loop that goes on, or ends, by a value of the device."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.endings import ended_loop
from xlaport.facts.module import LoopNode
from xlaport.facts.reads import HostRead
from xlaport.rule import Applicability, Finding, Rule

from .. import host_only


class LoopEnd(Rule):
    """Report loops that end by a value of the device.

    ## What it does
    Finds loops over device work that ask a tensor whether to go on: `while not done.all():`, `while loss > limit:`,
    `if (token == end).all(): break`.

    ## Why
    The host traces the next pass while the device runs this one. To know whether there is a next pass, it has to wait
    until this one is done, in every pass: host and device take turns.

    ## Example
        model = nn.Linear(4, 4).to(device)
        with torch.no_grad():
            for n in range(max_new_tokens):
                token = model(token)
                done = done | (token == end)
                if done.all():
                    break

    is reported. A fixed number of passes, where `done` keeps what is finished as it is:

        for n in range(max_new_tokens):
            token = torch.where(done, end, model(token))
            done = done | (token == end)

    or a look now and then:

        if n % 16 == 0 and done.all():
            break

    ## When it is wrong
    Where most of the passes are saved by it, the waiting may be worth its time.
    """

    code = "XP403"
    name = "loop-ends-on-device-value"
    summary = "a loop that ends by a value of the device"
    applicability = Applicability.MANUAL
    words = ("while", "break", "return")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each condition that ends a loop."""
        if host_only.stays_on_host(context):
            return
        seen: set[ast.AST] = set()
        for node in context.module.nodes:
            if not isinstance(node, ast.While | ast.If):
                continue
            for read in self._reads(context, node):
                loop = ended_loop(context.module, read.node)
                if loop is not None and node not in seen and self._waits(context, loop, node, read):
                    seen.add(node)
                    yield self.finding(context.place(node.test), self._message(context, loop, node, read))

    def _reads(self, context: Context, node: ast.While | ast.If) -> list[HostRead]:
        """The reads that the condition makes."""
        inside = set(ast.walk(node.test))
        return [read for read in context.reads.within([node]) if read.node in inside]

    def _waits(self, context: Context, loop: LoopNode, node: ast.While | ast.If, read: HostRead) -> bool:
        """Whether the loop has something to prepare while the device works."""
        if context.loops.step_loop(loop) is not None:
            return True
        if not context.step_code.in_step(loop) and not host_only.speaks_of_device(context):
            return False
        others = [statement for statement in loop.body if statement is not node]
        return read.proven and any(context.steps.work.works(statement, None) for statement in others)

    def _message(self, context: Context, loop: LoopNode, node: ast.While | ast.If, read: HostRead) -> str:
        condition = context.module.segment(node.test)
        goes_on = "goes on" if isinstance(node, ast.While) else "ends"
        where = "this loop" if isinstance(node, ast.While) else f"the loop in line {context.line(loop)}"
        return (
            f"{where} {goes_on} by a value of the device, {self._value(context, read)}: every pass waits for it, and "
            f"the host cannot prepare the next one meanwhile. Instead, {self._advice(loop, node, condition)}"
        )

    def _value(self, context: Context, read: HostRead) -> str:
        return " ".join(context.module.segment(read.tensor).split())

    def _advice(self, loop: LoopNode, node: ast.While | ast.If, condition: str) -> str:
        fixed = "run a fixed number of passes, and let torch.where() keep on the device what is done"
        counter = _counter(loop)
        if isinstance(node, ast.If) and counter is not None:
            return f"{fixed}, or look in every 16th pass only, if {counter} % 16 == 0 and {_part(node.test, condition)}"
        return f"{fixed}, or count the passes, and look at it in every 16th only"


def _counter(loop: LoopNode) -> str | None:
    """``n`` of ``for n in range(…)`` and ``for n, x in enumerate(…)``."""
    if not isinstance(loop, ast.For) or not isinstance(loop.iter, ast.Call) or not isinstance(loop.iter.func, ast.Name):
        return None
    target = loop.target
    if loop.iter.func.id == "enumerate" and isinstance(target, ast.Tuple) and target.elts:
        target = target.elts[0]
    elif loop.iter.func.id not in ("range", "trange"):
        return None
    return target.id if isinstance(target, ast.Name) and target.id != "_" else None


def _part(test: ast.expr, text: str) -> str:
    return f"({text})" if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.Or) else text
