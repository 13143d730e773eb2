"""XP952: what torch_xla needs between the steps, and an eager target does not."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.rule import Applicability, Edit, Finding, Harm, Replace, Rule, Span, Trait

from .._lib.blocks import lifted
from .._lib.catalogue import Disposition
from .._lib.removal import is_effect_free, removal, with_comments
from .._lib.successor.answers import uses
from .._lib.successor.saying import say
from .._lib.uses import Use


class TorchXlaBarrier(Rule):
    """Remove the barriers of torch_xla.

    ## What it does
    Removes `torch_xla.sync()`, `xm.mark_step()`, `with torch_xla.step():` (its block stays), `@torch_xla.compile`
    and other calls that do nothing for a target which runs each operation at once.

    ## Why
    torch_xla collects operations until a barrier compiles and runs them. torch_tpu runs each at once; nothing is left
    for a barrier to do, and torch_xla's own would raise.

    ## Example
        import torch_xla
        for x in batches:
            optimizer.step()
            torch_xla.sync()

    becomes

        for x in batches:
            optimizer.step()

    ## When it is wrong
    Where a barrier was there to measure time: write `torch.accelerator.synchronize()` there, as is done for
    `xm.wait_device_ops()` and `torch_xla.sync(wait=True)`.

    ## When it is left alone
    A barrier that is handed on as a function, which is reported.

    ## Sources
    - Measured on PyTorch 2.13 and torch_tpu 0.2.0, on the CPU plugin of OpenXLA.

    ## Related
    XP951, XP954.
    """

    code = "XP952"
    name = "torch-xla-barrier"
    summary = "torch_xla.sync() and xm.mark_step() go"
    applicability = Applicability.SAFE
    harm = Harm.STOPS
    traits = (Trait.SUCCEEDS_XLA,)
    words = ("torch_xla",)

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each call that goes."""
        for use in uses(context):
            if use.answer.disposition is Disposition.REMOVE and use.entry.rule is None:
                yield self._finding(context, use)

    def _finding(self, context: Context, use: Use) -> Finding:
        edits = self._edits(context, use)
        if not edits:
            return self.finding(context.place(use.node), say("XP952.elsewhere", what=use.shown, why=use.answer.why))
        text = say("XP952.removed", what=use.shown, why=use.answer.why)
        return self.finding(context.span(use.whole), text, *edits, applicability=use.answer.applicability)

    def _edits(self, context: Context, use: Use) -> list[Edit]:
        statement, call = context.module.statement(use.node), use.call
        if "decorator" in use.places:
            return [Replace(_line(context, use.whole), "")]
        if call is None or not is_effect_free(context, *call.args, *(k.value for k in call.keywords)):
            return []
        if isinstance(statement, ast.Expr) and statement.value is call:
            return with_comments(context, [removal(context, statement)])
        if not isinstance(statement, ast.With) or "with" not in use.places:
            return []
        item = next(item for item in statement.items if item.context_expr is call)
        if item.optional_vars is not None:
            return []
        if len(statement.items) == 1:
            return [lifted(context, statement, statement.body)]
        return [Replace(self._with_comma(context, statement.items, item), "")]

    def _with_comma(self, context: Context, items: list[ast.withitem], item: ast.withitem) -> Span:
        spans = [context.span(i.context_expr) for i in items]
        ends = [context.span(i.optional_vars or i.context_expr).end for i in items]
        at = items.index(item)
        return Span(spans[0].start, spans[1].start) if at == 0 else Span(ends[at - 1], ends[at])


def _line(context: Context, decorator: ast.expr) -> Span:
    """The lines of a decorator."""
    module, span = context.module, context.span(decorator)
    return Span(
        module.line_start(module.position(span.start)[0]), module.line_end(decorator.end_lineno or decorator.lineno)
    )
