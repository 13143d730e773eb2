"""XP408: values that a mask selects."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.step_code import StepBody
from xlaport.rule import Applicability, Finding, Rule

from .. import host_only
from .baked import COST, in_steps
from .packs import Pack, packs


class MaskedValue(Rule):
    """Compute with all places, in the stead of those that a mask selects.

    ## What it does
    `x[mask]` and `x.masked_select(mask)` have as many elements as the mask has true places. Where nothing becomes of
    them but a sum, a mean, a largest value or a loss, all places are computed with, and the mask decides on the device
    which of them count: `x[mask].mean()` becomes `torch.where(mask, x, 0).sum() / mask.sum()`, and a loss of classes
    ignores the labels that the mask leaves out. It follows names, differences, absolute values, comparisons and layers
    that work on each row. Other selections are reported.

    ## Why
    How many places are true, only the device knows: the host waits for it in every step, and each new count is another
    graph to compile. `torch.where` keeps the shape, so one graph serves all steps. It is written in front of what has
    no finite derivative, since NaN in a place that does not count would otherwise come back through the gradient.

    ## Example
        model = nn.Linear(4, 2).to("xla")
        for batch in DataLoader(torch.zeros(8, 4)):
            x = model(batch.to("xla"))
            loss = x[x > 0].mean()
            loss.backward()

    becomes

        model = nn.Linear(4, 2).to("xla")
        for batch in DataLoader(torch.zeros(8, 4)):
            x = model(batch.to("xla"))
            loss = torch.where(x > 0, x, 0).sum() / (x > 0).sum()
            loss.backward()

    ## When it is wrong
    The order of the additions is another one: the last digits may differ. Of nothing, `max()` raised, and gives
    -infinity now. In half precision a sum may exceed 65504, where a mean does not.
    """

    code = "XP408"
    name = "masked-value"
    summary = "what a mask selects is computed with torch.where()"
    applicability = Applicability.UNSAFE
    words = ("[", "masked_select")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for the selections that belong together."""
        if not host_only.stays_on_host(context):
            yield from in_steps(context, self._in_body)

    def _in_body(self, context: Context, body: StepBody) -> Iterator[Finding]:
        for pack in packs(context, body):
            if not context.step_code.is_now_and_then(pack.selections[0].node):
                yield self._finding(context, pack)

    def _finding(self, context: Context, pack: Pack) -> Finding:
        first, *others = pack.selections
        lines = dict.fromkeys(context.line(s.node) for s in others if not _same_line(s.node, first.node))
        more = f" (and those in line{'s' if len(lines) > 1 else ''} {', '.join(lines)})" if lines else ""
        text = context.module.segment(first.node)
        why = (
            f"{text}{more} has as many elements as the mask has true places: the host waits for their number, and each "
            f"new one is {COST}"
        )
        span = context.place(first.node)
        if not pack.edits:
            return self.finding(span, f"{why}. {self._by_hand(context, pack)}", applicability=Applicability.MANUAL)
        return self.finding(
            span,
            f"{why}; torch.where() leaves out the other places in one graph. Unsafe, since the last digits of a sum "
            "may differ",
            *pack.edits,
            imports=pack.imports,
        )

    def _by_hand(self, context: Context, pack: Pack) -> str:
        first = pack.selections[0]
        tensor, mask = context.module.segment(first.tensor), context.module.segment(first.mask)
        return (
            f"Instead, compute with all of {tensor}, and let the mask decide at the end which places count: "
            f"torch.where({mask}, …, 0) in front of a sum, or a label that the loss ignores (ignore_index); where "
            f"{mask} has fewer dimensions than {tensor}, give it the missing ones first, by unsqueeze(-1)"
        )


def _same_line(one: ast.expr, other: ast.expr) -> bool:
    return one.lineno == other.lineno
