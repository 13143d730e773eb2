"""XP209: errors that come after the try."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.rule import Applicability, Finding, Harm, InsertStatement, RemoveStatement, Rule, Trait

from .._lib import host_only
from .._lib.step import waiting
from .._lib.step.saying import say
from .._lib.step.traces import traces_around

_CATCHING = frozenset(
    {
        "builtins.RuntimeError",
        "builtins.Exception",
        "builtins.BaseException",
        "torch.OutOfMemoryError",
        "torch.cuda.OutOfMemoryError",
    }
)
"""What a handler names that is there for the errors of a device."""
_LEAVING = (ast.Return, ast.Continue, ast.Break, ast.Raise)


class LateError(Rule):
    """Report a try that ends before the errors of its step can come.

    ## What it does
    Finds a `try` around the work of a step, or a part of it, with an `except RuntimeError`, `except Exception` or the
    like, where nothing in the `try` runs the graph: no `torch_xla.sync()`, and no read. Where the step's call of it is
    the next statement, it moves to the end of the `try`. Otherwise a call there would run what the step does until
    then as a graph of its own.

    ## Why
    On a TPU the operations in the `try` only build a graph. Out of memory, like any error of the device, comes where
    the graph is compiled and run: at `torch_xla.sync()`, at the next batch of a device loader, or at a read. The
    handler that skips the batch never sees it, and the program ends (measured on torch_xla 2.9: a tensor that is too
    large raised nothing where it was made).

    ## Example
        import torch_xla
        model = nn.Linear(4, 1).to(device)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for x in DataLoader(torch.zeros(8, 4)):
            try:
                model(x).mean().backward()
                optimizer.step()
            except RuntimeError as error:
                print("skipped", error)
            torch_xla.sync()

    becomes

        import torch_xla
        model = nn.Linear(4, 1).to(device)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for x in DataLoader(torch.zeros(8, 4)):
            try:
                model(x).mean().backward()
                optimizer.step()
                torch_xla.sync()
            except RuntimeError as error:
                print("skipped", error)

    ## When it is wrong
    After an error in the middle of the `try`, what was built until then runs with the next step. And what goes wrong
    while the device computes may still come later: only `xm.wait_device_ops()` after the call waits for that.

    ## When it is left alone
    A `try` with `torch_xla.sync()` or a read in it, one around the whole loop, and handlers for errors of the host
    alone.

    ## Sources
    - Measured on torch_xla 2.9 and PyTorch 2.9, on the CPU backend of XLA.

    ## Related
    XP201, XP210.
    """

    code = "XP209"
    name = "error-after-try"
    summary = "errors of the device come at the barrier, outside of the try"
    applicability = Applicability.UNSAFE
    harm = Harm.WRONG
    traits = (Trait.LAZY_GRAPH,)
    words = ("except",)

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each handler that comes too early."""
        if host_only.stays_on_host(context):
            return
        for node in context.module.nodes:
            if not isinstance(node, ast.Try):
                continue
            handler = next((h for h in node.handlers if self._catches(context, h)), None)
            if handler is None or not context.step_code.with_steps(node):
                continue
            effects = context.loops.effects(node.body)
            work = effects.backward or effects.steps or effects.model
            if work is None or effects.barriers or self._runs_the_graph(context, node.body):
                continue
            yield self._finding(context, node, handler)

    def _finding(self, context: Context, node: ast.Try, handler: ast.ExceptHandler) -> Finding:
        barrier = self._barrier_behind(context, node)
        place = context.span(handler.type or node.body[0])
        if barrier is not None and not node.orelse and not node.finalbody:
            if not isinstance(node.body[-1], _LEAVING) and not traces_around(context, node.body[-1], None):
                call = context.module.segment(barrier)
                return self.finding(
                    place,
                    say("XP209.ends", call=call),
                    RemoveStatement(context.span(barrier)),
                    InsertStatement(context.span(node.body[-1]), call),
                )
        return self.finding(place, say("XP209.by_hand", sync=context.symbol("sync", node)[0]))

    def _barrier_behind(self, context: Context, node: ast.Try) -> ast.stmt | None:
        """The barrier that is the statement behind the try."""
        block = context.module.block(node)
        following = block[block.index(node) + 1 :]
        if not following or not isinstance(following[0], ast.Expr) or not isinstance(following[0].value, ast.Call):
            return None
        call = following[0].value
        stepping = context.loops.stepping
        return following[0] if stepping.is_barrier(call) and not stepping.is_step(call) else None

    def _runs_the_graph(self, context: Context, body: list[ast.stmt]) -> bool:
        """Whether the statements read the device, or might: then its errors come there."""
        # A step loop in the try has its barriers in it, too.
        return waiting.reads(context, body) or waiting.waits(context, body) or context.loops.runs_step_loop(body)

    def _catches(self, context: Context, handler: ast.ExceptHandler) -> bool:
        """Whether a handler is there for such errors, and does more than to pass them on."""
        last = handler.body[-1]
        if isinstance(last, ast.Raise) or self._ends_the_program(context, last):
            return False
        if handler.type is None:
            return True
        types = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
        return any(context.resolve(t) in _CATCHING for t in types)

    def _ends_the_program(self, context: Context, statement: ast.stmt) -> bool:
        value = statement.value if isinstance(statement, ast.Expr) else None
        return isinstance(value, ast.Call) and context.resolve(value.func) in ("sys.exit", "builtins.exit", "os._exit")
