"""XP305: logging beside the steps."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from xlaport.context import Context
from xlaport.facts.between import Stays
from xlaport.facts.loops import StepLoop
from xlaport.rule import Applicability, Edit, Finding, MoveStatement, ReplaceStatement, Rule, Span

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

    ## When it is left alone
    Without its code in `--select`, all. With it: statements that use the value further on, loggers that are not known,
    loops without a barrier in each pass, and loops that may be left before the barrier.

    ## Sources
    - Measured on torch_xla 2.9 and PyTorch 2.9, on the CPU backend of XLA.
    - Read in the source of torch_xla 2.9.

    ## Related
    XP301, XP302, XP303.
    """

    code = "XP305"
    name = "step-closures"
    summary = "log statements run beside the next step"
    applicability = Applicability.UNSAFE
    words = ("print", "log", "add_scalar", "info")
    on_request = True
    residual = True

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for the statements behind a barrier, and one for each before it."""
        for loop in () if host_only.stays_on_host(context) else context.loops.all():
            units = list(self._units(context, loop))
            barrier = self._barrier(context, loop)
            if units and self._is_to_change(context, loop):
                yield from (self._stays(context, u, Stays("other findings of this loop come first")) for u in units)
            elif barrier is None:
                why = Stays("the body of the loop has no barrier of its own")
                yield from (self._stays(context, unit, why) for unit in units)
            else:
                yield from self._in_loop(context, loop, units, barrier)

    def _in_loop(self, context: Context, loop: StepLoop, units: list[_Unit], barrier: int) -> Iterator[Finding]:
        behind: list[_Unit] = []
        for unit in units:
            found = self._closures(context, loop, unit, barrier)
            if not isinstance(found, Stays):
                known = {u.statement for u in behind}
                crossed = (s for s in loop.node.body[barrier + 1 : unit.index] if s not in known)
                other = next((s for s in crossed if not self._may_come_first(context, loop, s)), None)
                found = Stays("stands between it and the barrier", other) if other is not None else None
            if isinstance(found, Stays):
                yield self._stays(context, unit, found)
            elif unit.index > barrier:
                behind.append(unit)
            else:
                yield self._finding(context, loop, [unit], barrier)
        if behind:
            yield self._finding(context, loop, behind, barrier)

    def _may_come_first(self, context: Context, loop: StepLoop, statement: ast.stmt) -> bool:
        """Whether the barrier may as well stand behind a statement: ``count += 1``, ``print("step", i)``."""
        if isinstance(statement, ast.Expr) and logged(context, statement) is not None:
            return closure(context, statement, loop, "") is None
        calls = any(isinstance(node, ast.Call) for node in ast.walk(statement))
        return isinstance(statement, ast.Assign | ast.AugAssign) and not calls

    def _is_to_change(self, context: Context, loop: StepLoop) -> bool:
        """Whether another finding has edits for the loop: what is read where may change by them."""
        span = context.span(loop.node)
        return any(
            isinstance(place, Span) and place.overlaps(span)
            for finding in context.found
            for edit in finding.edits
            for place in vars(edit).values()
        )

    def _units(self, context: Context, loop: StepLoop) -> Iterator[_Unit]:
        for index, statement in enumerate(loop.node.body):
            inner = statement.body if isinstance(statement, ast.If) and not statement.orelse else [statement]
            logs = tuple(s for s in inner if isinstance(s, ast.Expr) and logged(context, s) is not None)
            if logs and any(closure(context, log, loop, "") is not None for log in logs):
                yield _Unit(index, statement, logs)

    def _barrier(self, context: Context, loop: StepLoop) -> int | None:
        """The only barrier of a loop, where it is a statement of its body."""
        if len(loop.barriers) != 1 or context.loops.stepping.is_step(loop.barriers[0]):
            return None
        if not context.loops.stepping.is_barrier(loop.barriers[0]):
            return None
        body = loop.node.body
        return next((i for i, s in enumerate(body) if isinstance(s, ast.Expr) and s.value is loop.barriers[0]), None)

    def _finding(self, context: Context, loop: StepLoop, units: list[_Unit], barrier: int) -> Finding:
        place = loop.node.body[barrier]
        add, imports = context.symbol("add_step_closure", place)
        edits: list[Edit] = []
        for unit in units:
            for log in unit.logs:
                text = closure(context, log, loop, add)
                if isinstance(text, str):
                    edits.append(ReplaceStatement(context.span(log), text))
        count = len(edits)
        if units[0].index > barrier:
            edits.append(MoveStatement(context.span(place), context.span(units[-1].statement)))
        more = f" (and {count - 1} more)" if count > 1 else ""
        return self.finding(
            context.span(units[0].logs[0]),
            f"the host waits for the device to log this{more}: {add}() logs it beside the next step, behind the "
            f"barrier of line {context.line(place)}; its line may come later than what is printed behind the loop",
            *edits,
            imports=imports,
        )

    def _closures(self, context: Context, loop: StepLoop, unit: _Unit, barrier: int) -> Stays | None:
        """What keeps a unit from becoming closures."""
        statement = unit.statement
        if isinstance(statement, ast.If):
            other = next((s for s in statement.body if s not in unit.logs), None)
            if other is not None:
                return Stays("does more than log", other)
            inside = set(ast.walk(statement.test))
            if any(read.node in inside for read in context.reads.within([statement])):
                return Stays("the condition that it stands under reads the device")
        way_out = leaves(loop.node.body[unit.index + 1 : barrier])
        if way_out is not None:
            return Stays("may leave the pass before the barrier, and the closure would not run", way_out)
        texts = (closure(context, log, loop, "") for log in unit.logs)
        return next((text for text in texts if isinstance(text, Stays)), None)

    def _stays(self, context: Context, unit: _Unit, stays: Stays) -> Finding:
        why = stays.why if stays.node is None else f"line {context.line(stays.node)} {stays.why}"
        return self.finding(context.span(unit.logs[0]), f"this reads the device in the step, and is no closure: {why}")
