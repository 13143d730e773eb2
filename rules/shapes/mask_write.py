"""XP406: a tensor that is written through a mask."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.elementwise import is_of_same_rank
from xlaport.facts.held import Kind
from xlaport.facts.role import Role
from xlaport.facts.step_code import StepBody
from xlaport.facts.tensors import Tensors
from xlaport.rule import Applicability, Finding, Replace, Rule

from .. import host_only
from .baked import COST, in_steps


class MaskWrite(Rule):
    """Write through a mask without counting what it lets through.

    ## What it does
    `x[mask] = number` becomes `x.masked_fill_(mask, number)`, where the mask is one of truth values, was computed from
    `x` element by element (or is known to have as many dimensions), and a number is written. Both change `x` in
    place, keep its type, and let the same gradients through.

    ## Why
    An index of truth values is turned into the list of the places where it is true. How long that is, only the device
    knows: the host waits for it, and each new count is another graph to compile. `masked_fill_` writes all places in
    one graph.

    ## Example
        model = nn.Linear(4, 2).to("xla")
        for batch in DataLoader(torch.zeros(8, 4)):
            x = model(batch.to("xla"))
            x[x < 0] = 0.0
            print(x.sum())

    becomes

        model = nn.Linear(4, 2).to("xla")
        for batch in DataLoader(torch.zeros(8, 4)):
            x = model(batch.to("xla"))
            x.masked_fill_(x < 0, 0.0)
            print(x.sum())

    ## When it is wrong
    A mask of fewer dimensions than `x` means other places to the two. Such a mask, and one of unknown dimensions, is
    reported only.
    """

    code = "XP406"
    name = "mask-write"
    summary = "x[mask] = number is x.masked_fill_(mask, number)"
    applicability = Applicability.SAFE
    words = ("[",)

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each write through a mask in a step."""
        if not host_only.stays_on_host(context):
            yield from in_steps(context, self._in_body)

    def _in_body(self, context: Context, body: StepBody) -> Iterator[Finding]:
        for node in context.step_code.nodes(body):
            if not isinstance(node, ast.Assign) or len(node.targets) != 1 or not context.editable(node):
                continue
            target = node.targets[0]
            if isinstance(target, ast.Subscript) and _is_masked(context, target):
                if not context.step_code.is_now_and_then(node):
                    yield self._finding(context, node, target)

    def _finding(self, context: Context, node: ast.Assign, target: ast.Subscript) -> Finding:
        tensor, mask = context.module.segment(target.value), context.module.segment(target.slice)
        value = context.module.segment(node.value)
        why = (
            f"{tensor}[…] = … asks the device how many places the mask has, so that the host waits, and each new count "
            f"is {COST}"
        )
        span = context.span(target)
        advice = _by_hand(context, target, node.value)
        if advice is not None:
            return self.finding(span, f"{why}. {advice}", applicability=Applicability.MANUAL)
        return self.finding(
            span,
            f"{why}: masked_fill_() writes the same in one graph",
            Replace(context.span(node), f"{tensor}.masked_fill_({mask}, {value})"),
        )


def _by_hand(context: Context, target: ast.Subscript, written: ast.expr) -> str | None:
    """What to write instead, where `masked_fill_` is not known to do the same; None where it is."""
    tensor, mask = context.module.segment(target.value), context.module.segment(target.slice)
    value = context.module.segment(written)
    if isinstance(written, ast.Subscript) and ast.dump(written.slice) == ast.dump(target.slice):
        same = context.module.segment(written.value)
        return (
            f"Where {same} and {tensor} have the same dimensions, write {tensor} = torch.where({mask}, {same}, "
            f"{tensor}); other names for {tensor} keep the tensor as it was"
        )
    if not _is_number(context, written):
        return (
            f"Where {value} is one value, write {tensor} = torch.where({mask}, {value}, {tensor}); where it has one "
            f"for each true place, {tensor}.masked_scatter_({mask}, {value})"
        )
    if not _has_same_rank(context, target):
        return (
            f"If the mask has as many dimensions as {tensor}, write {tensor}.masked_fill_({mask}, {value}); if it has "
            "fewer, give it the missing ones first, by unsqueeze(-1)"
        )
    return None


def _is_masked(context: Context, target: ast.Subscript) -> bool:
    """Whether a tensor on the device is indexed by one of truth values."""
    if isinstance(target.slice, ast.Slice | ast.Tuple | ast.Constant):
        return False
    if not (context.roles.is_(target.value, Role.TENSOR) and context.roles.is_(target.slice, Role.TENSOR)):
        return False
    return Tensors(context.flow.structure).held(context.view.own, target.slice).kind is Kind.BOOL


def _has_same_rank(context: Context, target: ast.Subscript) -> bool:
    own, tensors = context.view.own, Tensors(context.flow.structure)
    if is_of_same_rank(own, target.slice, target.value):
        return True
    ranks = tensors.held(own, target.value).rank, tensors.held(own, target.slice).rank
    return ranks[0] is not None and ranks[0] > 0 and ranks[0] == ranks[1]


def _is_number(context: Context, node: ast.expr) -> bool:
    return context.roles.is_(node, Role.NUMBER) or (
        isinstance(node, ast.Constant) and type(node.value) in (bool, int, float)
    )
