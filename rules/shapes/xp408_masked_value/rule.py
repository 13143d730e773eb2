"""XP408: values that a mask selects."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.step_nodes import StepBody
from xlaport.rule import Applicability, Finding, Harm, Rule

from ..._lib import host_only
from ..._lib.one_line import one_line
from ..._lib.shapes.as_index import index_of
from ..._lib.shapes.constant_count import of_constant_counts
from ..._lib.shapes.in_steps import in_steps
from ..._lib.shapes.saying import say
from ..._lib.shapes.selection import Selection, is_mask, mask_of
from ..._lib.shapes.where_placed import if_placed
from .mask_on_host import moved_to_host
from .packs import Pack, packs
from .selected_by_hand import by_hand


class MaskedValue(Rule):
    """Compute with all places instead of those that a mask selects.

    ## What it does
    `x[mask]` and `x.masked_select(mask)` have as many elements as the mask has true places. Where they are used for one
    sum, mean or loss alone, all places are computed with, and the mask decides on the TPU which of them count:
    `x[mask].mean()` becomes `torch.where(mask, x, 0).sum() / mask.sum()`, and a loss of classes ignores the labels that
    the mask leaves out. It follows names, differences, absolute values, comparisons and layers that work on each row.
    Of rows, and of what a function of the project makes the mean of, such as `lambda a, b: ((a - b) ** 2).mean()`, it
    is `mean * mask.numel() / mask.sum()`, with zeros in the other places. A mask of sizes and numbers alone, such as
    `~torch.eye(n)`, is made on the host, where it is an index and no more. Where a run has shown (`xlaport port`,
    `--evidence`) that a selection always had one size, it is as many first places of the sorted mask. Other
    selections are reported.

    By hand: a loop or a branch that goes by the number of selected elements needs a fixed number of iterations, or the
    mask itself. Where the elements are packed one after another, as into a ring buffer,
    `mask.flatten().long().cumsum(0) - 1` is the place of each. A module with a BatchNorm that gets all rows counts all
    of them in its mean and variance.

    ## Why
    Only the TPU knows how many places are true: the host waits for it in every step, and each new count recompiles the
    step. `torch.where` keeps the shape, so one graph serves all steps. It is written before what has no constant
    derivative, since NaN in a place that does not count would otherwise come back through the gradient.

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
    The order of the additions changes, so the last digits may differ. In half precision a sum may exceed 65504, where a
    mean does not. With other data, the size that a run has shown may be another one: too many or too few elements are
    taken then, and nothing says so.

    ## When it is left alone
    A selection that is kept, sorted, counted or indexed further; one that is handed to a function that does more than
    return a sum or a mean, which is not zero of zeros; a mask that changes before the values are used; a
    largest value; a logarithm or a division that the mask guards; other indices.

    ## Sources
    - Measured on torch_xla 2.9: the table `rules/shapes/sizes.toml`.
    - PyTorch/XLA, Dynamic shapes: https://docs.pytorch.org/xla/release/r2.8/learn/dynamic_shape.html

    ## Related
    XP406, XP412, XP415.
    """

    code = "XP408"
    name = "masked-value"
    summary = "what a mask selects is computed with torch.where()"
    applicability = Applicability.UNSAFE
    harm = Harm.RECOMPILES
    words = ("[", "masked_select")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for the selections that belong together."""
        if not host_only.stays_on_host(context):
            yield from in_steps(context, self._in_body)

    def _in_body(self, context: Context, body: StepBody) -> Iterator[Finding]:
        left: dict[str, list[Selection]] = {}
        for pack in packs(context, body):
            first = pack.selections[0]
            if context.step_code.is_now_and_then(first.node, but_training=True) or _is_said_of_a_write(context, first):
                continue
            if pack.edits:
                yield self._rewritten(context, pack)
            else:
                left.setdefault(_meaning(context, first.mask), []).append(first)
        for selections in left.values():
            yield self._left(context, selections)

    def _rewritten(self, context: Context, pack: Pack) -> Finding:
        first = pack.selections[0]
        what, where = one_line(context, first.node), if_placed(context, first.tensor)
        text = say("XP408.fixed", what=what, where=where)
        return self.finding(context.place(first.node), text, *pack.edits, imports=pack.imports)

    def _left(self, context: Context, selections: list[Selection]) -> Finding:
        first = selections[0]
        edits = moved_to_host(context, selections)
        if edits is not None:
            return self.finding(
                context.place(first.node), say("XP408.moved", mask=one_line(context, first.mask)), *edits
            )
        counted = of_constant_counts(context, selections)
        if counted is not None:
            said = say("XP408.counted", what=one_line(context, first.node))
            return self.finding(context.place(first.node), said, *counted[0], imports=counted[1])
        return self.finding(context.place(first.node), by_hand(context, selections), applicability=Applicability.MANUAL)


def _is_said_of_a_write(context: Context, selected: Selection) -> bool:
    return _is_size_of_a_write(context, selected) or _is_under_a_write(context, selected)


def _is_size_of_a_write(context: Context, selection: Selection) -> bool:
    """``x[mask]`` in ``x[mask] = torch.randn(x[mask].shape)``: XP406 says what to write instead of all of it."""
    asked = context.module.parents[selection.node]
    if not isinstance(asked, ast.Attribute) or asked.attr not in ("shape", "size", "numel"):
        return False
    return any(ast.dump(index) == ast.dump(selection.mask) for index in _written_by(context, asked))


def _is_under_a_write(context: Context, selected: Selection) -> bool:
    """``x[mask] = y[other]`` and ``x[mask] = y[i[mask]]``: XP406, whose the write is, says what to write for both."""
    assigns = context.module.parents[selected.node]
    masks = [index for index in _written_by(context, selected.node) if is_mask(context, index)]
    if isinstance(assigns, ast.Assign) and assigns.value is selected.node:
        return bool(masks)
    same = any(ast.dump(mask) == ast.dump(selected.mask) for mask in masks)
    return same and index_of(context, selected.node) is not None


def _written_by(context: Context, node: ast.AST) -> list[ast.expr]:
    """The indices of what the assignment writes to that a node belongs to."""
    statement = context.module.statement(node)
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    return [mask_of(target) for target in targets if isinstance(target, ast.Subscript)]


def _meaning(context: Context, mask: ast.expr) -> str:
    """What tells a mask from others: its text, and what its names are bound to."""
    names = [n for n in ast.walk(mask) if isinstance(n, ast.Name)]
    return f"{ast.dump(mask)} {[sorted(id(b) for b in context.names.reaching(n)) for n in names]}"
