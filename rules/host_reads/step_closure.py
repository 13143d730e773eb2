"""XP305: logging beside the steps."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass

from xlaport.context import Context
from xlaport.facts.between import Stays
from xlaport.facts.loops import StepLoop
from xlaport.rule import Applicability, Edit, Finding, InsertStatement, RemoveStatement, ReplaceStatement, Rule

from .. import host_only
from .closures import closure, leaves
from .log_statements import logged


@dataclass(frozen=True)
class _Unit:
    """A statement of a loop's body that logs, or an ``if`` with nothing but such in it."""

    index: int
    statement: ast.stmt
    logs: tuple[ast.Expr, ...]


class StepClosures(Rule):
    """Log in a closure that runs beside the next step. Only where it is asked for: `--select XP,XP305 --unsafe`.

    ## What it does
    In a step loop with a barrier in its body, hands the log statements that read tensors (`print`, `logging`,
    `wandb.log`, `add_scalar` of a `SummaryWriter`) to `xm.add_step_closure(..., run_async=True)`, before the barrier.
    Tensors, and whatever else may be another by then, are arguments; only names that are bound once are captured.
    The rule is left out unless its whole code is in `--select`: neither the default nor `--select XP3` asks for it.
    `--select XP,XP305` adds it to all others.

    ## Why
    A read behind the barrier waits for the device, in which time the host does not prepare the next step. A closure
    runs in a thread of its own behind the barrier (measured on torch_xla 2.9, where the device takes 0.2 s and the host
    0.1 s: 0.32 s for a step that reads, 0.23 s with the closure, 0.22 s without either). The values still go to the
    host in each step: where every n-th step is enough, log every n-th step.

    ## Example
        import torch_xla
        model = nn.Linear(4, 1).to(device)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for step, x in enumerate(DataLoader(torch.zeros(8, 4))):
            loss = model(x).mean()
            loss.backward()
            optimizer.step()
            torch_xla.sync()
            print(step, loss.item())

    becomes

        import torch_xla
        model = nn.Linear(4, 1).to(device)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for step, x in enumerate(DataLoader(torch.zeros(8, 4))):
            loss = model(x).mean()
            loss.backward()
            optimizer.step()
            xm.add_step_closure(
                lambda step, loss: print(step, loss.item()),
                args=(step, loss),
                run_async=True,
            )
            torch_xla.sync()

    ## When it is wrong
    A line may come later than what is printed behind the loop, so the fix is unsafe. A closure runs at the next
    barrier: where the loop may be left between the two, nothing is rewritten. An error in a closure comes as a
    `RuntimeError` from a later barrier. Without `run_async`, a closure would read at the barrier, and wait there.
    """

    code = "XP305"
    name = "step-closures"
    summary = "log statements run beside the next step"
    applicability = Applicability.UNSAFE
    words = ("print", "log", "add_scalar", "info")
    on_request = True

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each statement that logs what the device has."""
        for loop in () if host_only.stays_on_host(context) else context.loops.all():
            units = list(self._units(context, loop))
            barrier = self._barrier(context, loop)
            ready = True
            for unit in units:
                if barrier is None:
                    yield self._stays(context, unit, Stays("the body of the loop has no barrier of its own"))
                    continue
                if unit.index > barrier:
                    # Those that directly follow the barrier, or others that move: the order of the lines stays.
                    moved = [u.index for u in units if u.index > barrier]
                    ready = ready and unit.index == barrier + 1 + moved.index(unit.index)
                found = self._finding(context, loop, unit, barrier, ready)
                ready = ready and bool(found.edits or unit.index < barrier)
                yield found

    def _units(self, context: Context, loop: StepLoop) -> Iterator[_Unit]:
        for index, statement in enumerate(loop.node.body):
            inner = statement.body if isinstance(statement, ast.If) and not statement.orelse else [statement]
            logs = tuple(s for s in inner if isinstance(s, ast.Expr) and logged(context, s) is not None)
            if logs and any(closure(context, log, loop, "") is not None for log in logs):
                yield _Unit(index, statement, logs)

    def _barrier(self, context: Context, loop: StepLoop) -> int | None:
        """The only barrier of a loop, where it is a statement of its body."""
        if len(loop.barriers) != 1:
            return None
        stepping = context.loops.stepping
        return next(
            (
                index
                for index, statement in enumerate(loop.node.body)
                if isinstance(statement, ast.Expr)
                and statement.value is loop.barriers[0]
                and stepping.is_barrier(loop.barriers[0])
                and not stepping.is_step(loop.barriers[0])
            ),
            None,
        )

    def _finding(self, context: Context, loop: StepLoop, unit: _Unit, barrier: int, ready: bool) -> Finding:
        body = loop.node.body
        add, imports = context.symbol("add_step_closure", unit.statement)
        stays = self._obstacle(context, loop, unit, barrier, ready)
        if stays is not None:
            return self._stays(context, unit, stays)
        texts: dict[ast.Expr, str] = {}
        for log in unit.logs:
            text = closure(context, log, loop, add)
            if isinstance(text, Stays):
                return self._stays(context, unit, text)
            if text is not None:
                texts[log] = text
        edits: list[Edit]
        if unit.index < barrier:
            edits = [ReplaceStatement(context.span(log), text) for log, text in texts.items()]
        else:
            edits = [
                RemoveStatement(context.span(unit.statement), with_comment=True),
                InsertStatement(context.span(body[barrier]), self._moved(context, unit, texts), before=True),
            ]
        return self.finding(
            context.span(unit.logs[0]),
            f"the host waits for the device to log this: {add}() logs it beside the next step, behind the barrier in "
            f"line {context.line(body[barrier])}; its line may come later than what is printed behind the loop",
            *edits,
            imports=imports,
        )

    def _moved(self, context: Context, unit: _Unit, texts: dict[ast.Expr, str]) -> str:
        """The unit at the left margin, with its comments, and with its closures."""
        module, statement = context.module, unit.statement
        start, last = module.line_start(statement.lineno), statement.end_lineno or statement.lineno
        text = module.text[start : module.line_end(last)].rstrip()
        for log in reversed(unit.logs):
            if log in texts:
                span = module.span(log)
                new = texts[log].replace("\n", "\n" + " " * log.col_offset)
                text = text[: span.start - start] + new + text[span.end - start :]
        return "\n".join([*self._comments(context, statement), textwrap.dedent(text)])

    def _comments(self, context: Context, statement: ast.stmt) -> list[str]:
        """The comment lines directly above a statement."""
        module, line = context.module, statement.lineno - 1
        found: list[str] = []
        while line > 0:
            text = module.text[module.line_start(line) : module.line_end(line)].rstrip()
            if not text.startswith(" " * statement.col_offset + "#"):
                break
            found.insert(0, text.strip())
            line -= 1
        return found

    def _obstacle(self, context: Context, loop: StepLoop, unit: _Unit, barrier: int, ready: bool) -> Stays | None:
        body, statement = loop.node.body, unit.statement
        if isinstance(statement, ast.If):
            other = next((s for s in statement.body if s not in unit.logs), None)
            if other is not None:
                return Stays("does more than log", other)
            inside = set(ast.walk(statement.test))
            if any(read.node in inside for read in context.reads.within([statement])):
                return Stays("the condition that it stands under reads the device")
            if any(
                isinstance(n, ast.Constant | ast.JoinedStr) and n.end_lineno != n.lineno for n in ast.walk(statement)
            ):
                return Stays("its text goes over several lines")
        if unit.index > barrier:
            return None if ready else Stays("other statements stand between it and the barrier")
        way_out = leaves(body[unit.index + 1 : barrier])
        if way_out is not None:
            return Stays("may leave the pass before the barrier, and the closure would not run", way_out)
        return None

    def _stays(self, context: Context, unit: _Unit, stays: Stays) -> Finding:
        why = stays.why if stays.node is None else f"line {context.line(stays.node)} {stays.why}"
        return self.finding(context.span(unit.logs[0]), f"this reads the device in the step, and is no closure: {why}")
