"""XP406: a tensor that is written through a mask."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.step_code import StepBody
from xlaport.facts.true_counts import TrueCounts
from xlaport.rule import Applicability, Finding, Replace, ReplaceStatement, Rule

from .. import host_only
from ..host_reads.device_values import spelled
from ..one_line import one_line
from .as_index import index_of
from .baked import COST, in_steps
from .finite_sides import kept_finite
from .lying_apart import may_lie_apart
from .masked_assignment import is_masked_write, is_number, masked_write
from .pairing import nth_of
from .selection import selection
from .where_placed import where_placed

_SIGNS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**"}


class MaskWrite(Rule):
    """Write through a mask without counting what it lets through.

    ## What it does
    `x[mask] = number` becomes `x.masked_fill_(mask, number)`, where the mask is one of truth values and was computed
    from `x` element by element (or is known to have as many dimensions). `x[mask] = y[mask] + 1` and `x[mask] *= 2`
    become `x.copy_(torch.where(mask, y + 1, x))` and `x.copy_(torch.where(mask, x * 2, x))`. All of them change `x` in
    place, keep its type, and let the same gradients through. A mask that may have fewer dimensions than `x` gets those
    that it lacks. Other writes are reported.

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
    A mask of fewer dimensions than `x` means other places to the two: an index takes it for the leading ones. Where
    that cannot be helped, the write is reported only.

    ## When it is left alone
    A mask that may mean other places, or that is no tensor of truth values; values with one element for each true
    place; writes outside of steps, and arrays of the host.

    ## Sources
    - Measured on torch_xla 2.9: the table `rules/shapes/sizes.toml`.
    - PyTorch/XLA, Dynamic shapes: https://docs.pytorch.org/xla/release/r2.8/learn/dynamic_shape.html

    ## Related
    XP408, XP409, XP412.
    """

    code = "XP406"
    name = "mask-write"
    summary = "a write through a mask keeps the shape"
    applicability = Applicability.SAFE
    words = ("[",)

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each write through a mask in a step."""
        if not host_only.stays_on_host(context):
            yield from in_steps(context, self._in_body)

    def _in_body(self, context: Context, body: StepBody) -> Iterator[Finding]:
        for node in context.step_code.of_type(body, ast.Assign, ast.AugAssign):
            if is_masked_write(context, node) and context.editable(node):
                if not context.step_code.is_now_and_then(node, but_training=True):
                    yield self._finding(context, node)

    def _finding(self, context: Context, node: ast.Assign | ast.AugAssign) -> Finding:
        target = node.target if isinstance(node, ast.AugAssign) else node.targets[0]
        assert isinstance(target, ast.Subscript)
        tensor = spelled(context, target.value)
        is_apart = may_lie_apart(context, target.slice, target.value)
        why = f"{tensor}[…] = … asks the device how many places the mask has, so that the host waits"
        count = TrueCounts(context.view.own).of(target.slice)
        if count is not None and count.index is None:
            why += ", though sizes and numbers alone decide that"
            if is_apart:
                return self.finding(
                    context.span(target),
                    f"where {one_line(context, target.slice)} lies on the device, {why}. Leave the mask on the host, "
                    "without .to(device) or .cuda(): an index by it waits for nothing",
                    applicability=Applicability.MANUAL,
                )
        else:
            why += f", and each new count is {COST}"
        written = masked_write(context, node)
        assumed = f"where {one_line(context, target.slice)} lies on the device, " if is_apart else ""
        why = f"{assumed or where_placed(context, target.value)}{why}"
        if written is None:
            advice = _by_hand(context, node, target)
            if is_apart:
                advice = (
                    f"Move the mask to {tensor}.device in every case: masked_fill_() and torch.where() take none of "
                    f"the host. {advice}"
                )
            return self.finding(context.span(target), f"{why}. {advice}", applicability=Applicability.MANUAL)
        name = "masked_fill_()" if ".masked_fill_(" in written.text else "torch.where()"
        more = ""
        if ".dim() - " in written.text:
            more = (
                ". [(...,) + (None,) * …] gives the mask the dimensions that it may lack: the mask alone will do if it "
                f"has as many as {tensor}"
            )
        span = context.span(node)
        return self.finding(
            context.span(target),
            f"{why}: {name} writes the same in one graph{more}",
            ReplaceStatement(span, f"{written.before}\n{written.text}")
            if written.before
            else Replace(span, written.text),
            imports=written.imports,
        )


def _by_hand(context: Context, node: ast.Assign | ast.AugAssign, target: ast.Subscript) -> str:
    """What to write instead, where nothing is known to do the same."""
    tensor, mask = spelled(context, target.value), one_line(context, target.slice)
    value = one_line(context, node.value)
    lacking = f"if the mask has fewer dimensions than {tensor}, give it the missing ones first, by unsqueeze(-1)"
    selected = [n for n in ast.walk(node.value) if isinstance(n, ast.expr) and selection(context, n) is not None]
    if not selected and not isinstance(node, ast.AugAssign) and is_number(context, node.value):
        return f"Write {tensor}.masked_fill_({mask}, {value}); {lacking}"
    if not isinstance(node, ast.AugAssign) and isinstance(node.value, ast.Name | ast.Attribute):
        held = context.tensors.held(context.view.own, node.value)
        if held.kind is None and not held.is_scalar:
            return (
                f"Where {value} is one value, write {tensor}.masked_fill_({mask}, {value}); where it has one for each "
                f"true place, make it for all places, and let the mask choose, {tensor}[...] = torch.where({mask}, …, "
                f"{tensor}); {lacking}"
            )
    others = [s for n in selected if (s := selection(context, n)) is not None and not _is_same(s.mask, target.slice)]
    if others:
        values = nth_of(context, others[0], mask)
        return (
            f"{values}, and {tensor}[...] = torch.where({mask}, values, {tensor}) chooses: in this torch.where() "
            f"alone, a mask of fewer dimensions than {tensor} gets the missing ones, by unsqueeze(-1)"
        )
    indices = [index for n in selected if (index := index_of(context, n)) is not None]
    packed = _packed_before(context, node.value)
    if selected:
        for text in dict.fromkeys(one_line(context, index) for index in indices):
            value = value.replace(text, f"torch.where({mask}, {text}, 0)")
        value = value.replace(f"[{mask}]", "")
        first = (
            f"Compute {' and '.join(packed)} for all places, too, without the mask"
            if packed
            else "Compute with all places"
        )
        how = f"{first}, and let the mask choose"
    elif packed:
        for name in packed:
            value = value.replace(name, f"what {name} is for all places")
        how = f"Compute {' and '.join(packed)} for all places, without the mask, and let the mask choose"
    elif isinstance(node, ast.AugAssign) or context.tensors.held(context.view.own, node.value).is_scalar:
        how = "Let the mask choose"
    else:
        value = f"what {value} is for all places"
        how = "Compute the values for all places, and let the mask choose"
    if selected and isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Div | ast.FloorDiv | ast.Mod):
        # A zero outside of the mask would give NaN as gradient, also to the places that are chosen.
        value = f"torch.where({mask}, {value}, 1)"
    if isinstance(node, ast.AugAssign):
        # What the gradient of a product or a quotient needs must not be written to.
        needed = isinstance(node.op, ast.Mult | ast.Div | ast.Pow) and not is_number(context, node.value)
        value = f"{tensor}{'.clone()' if needed else ''} {_SIGNS.get(type(node.op), '·')} {value}"
    if indices or any(index_of(context, value) is not None for value in packed.values()):
        where = "the place 0 stands" if indices else f"torch.where({mask}, …, 0) puts 0"
        lacking = (
            f"{where} for an index that may be out of range outside of the mask. In the outer torch.where() alone, a "
            f"mask of fewer dimensions than {tensor} gets the missing ones, by unsqueeze(-1)"
        )
    finite = kept_finite(context, [node.value]).replace(f"[{mask}]", "") if selected else ""
    return f"{how}: {tensor}[...] = torch.where({mask}, {value}, {tensor}); {lacking}{finite}"


def _is_same(one: ast.expr, other: ast.expr) -> bool:
    return ast.dump(one) == ast.dump(other)


def _packed_before(context: Context, value: ast.expr) -> dict[str, ast.expr]:
    """The names in a value that stand for what a mask selected in another statement, ``a`` of ``a = b[mask]``."""
    return {
        name.id: node
        for name in ast.walk(value)
        if isinstance(name, ast.Name)
        for binding in context.names.reaching(name)
        if binding.value is not None
        for node in ast.walk(binding.value)
        if isinstance(node, ast.expr) and selection(context, node) is not None
    }
