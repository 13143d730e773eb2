"""XP204: waiting for the device."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.rule import Applicability, Finding, Harm, ReplaceStatement, Rule

from .._lib.step.for_device import waiting
from .._lib.step.saying import say
from .._lib.step.waiting import SYNCHRONIZE


class Synchronize(Rule):
    """Run what is pending and wait for it.

    ## What it does
    Replaces the statement `torch.cuda.synchronize()` by `torch_xla.sync()` and `xm.wait_device_ops()`; by the second
    alone where the step calls `torch_xla.sync()` before it.

    ## Why
    Both halves are needed. `torch_xla.sync()` starts the pending graph but does not wait for the device, not
    even with `wait=True` (measured on torch_xla 2.9: it returned after 0.03 s of a graph that took 1.5 s);
    `xm.wait_device_ops()` waits, but starts nothing.

    ## Example
        start = time.time()
        torch.cuda.synchronize()
        elapsed = time.time() - start

    becomes

        start = time.time()
        torch_xla.sync()
        xm.wait_device_ops()
        elapsed = time.time() - start

    ## When it is wrong
    Inside a step it splits the graph in two and makes the host wait: time whole epochs, or every n-th step.

    ## When it is left alone
    The `synchronize()` of other libraries, and programs that wait for XLA already.

    ## Sources
    - Measured on torch_xla 2.9 and PyTorch 2.9, on the CPU backend of XLA.

    ## Related
    XP207, XP210, XP212.
    """

    code = "XP204"
    name = "synchronize"
    summary = "torch.cuda.synchronize() becomes torch_xla.sync() and xm.wait_device_ops()"
    applicability = Applicability.SAFE
    harm = Harm.LEFTOVER
    words = ("synchronize",)
    after = ("XP201",)

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each synchronisation."""
        for node in context.module.nodes:
            if not isinstance(node, ast.Name | ast.Attribute) or not isinstance(node.ctx, ast.Load):
                continue
            if context.resolve(node) not in SYNCHRONIZE:
                continue
            if context.resolve(node) == context.target.symbol("wait_device_ops").qualified:
                continue
            sync, _ = context.symbol("sync", node)
            wait, wait_imports = context.symbol("wait_device_ops", node)
            call = context.module.parents[node]
            statement = context.module.statement(node)
            if not (isinstance(call, ast.Call) and isinstance(statement, ast.Expr) and statement.value is call):
                if isinstance(node, ast.Attribute) or isinstance(call, ast.Call):
                    yield self.finding(
                        context.place(node),
                        say("XP204.function", sync=sync, wait=wait),
                    )
                continue
            if self._is_cut(context, statement):
                yield self.finding(
                    context.span(call),
                    say("XP204.started", wait=wait),
                    ReplaceStatement(context.span(statement), f"{wait}()"),
                    imports=wait_imports,
                )
                continue
            text, imports = waiting(context, node)
            key = "XP204.two_calls" if "\n" in text else "XP204.one_call"
            said = say(key, sync=sync, wait=wait)
            yield self.finding(
                context.span(call), said, ReplaceStatement(context.span(statement), text), imports=imports
            )

    def _is_cut(self, context: Context, statement: ast.stmt) -> bool:
        """Whether a barrier stands before a statement in the same step, and no work of the step in between."""
        loop = context.loops.around(statement)
        child: ast.AST = statement
        while loop is not None and isinstance(child, ast.stmt):
            block = context.module.block(child)
            before = block[: next(i for i, s in enumerate(block) if s is child)]
            cut = context.steps.cut_index(before)
            between = before if cut is None else before[cut + 1 :]
            if context.steps.work.is_essential(between, loop):
                return False
            if cut is not None:
                return True
            child = context.module.parents[child]
            if not isinstance(child, ast.If):
                return False
        return False
