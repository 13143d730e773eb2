"""XP406: a tensor that is written through a mask."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.step_nodes import StepBody
from xlaport.facts.true_counts import TrueCounts
from xlaport.rule import Applicability, Finding, Harm, Replace, ReplaceStatement, Rule
from xlaport.wording import Text

from .._lib import host_only
from .._lib.host_reads.device_values import spelled
from .._lib.one_line import one_line
from .._lib.parentheses import factor
from .._lib.series import series
from .._lib.shapes.as_index import index_of
from .._lib.shapes.finite_sides import open_at_zero
from .._lib.shapes.in_steps import in_steps
from .._lib.shapes.lying_apart import may_lie_apart
from .._lib.shapes.masked_assignment import is_masked_write, masked_write
from .._lib.shapes.saying import say
from .._lib.shapes.selection import is_number, mask_of, selection
from .._lib.shapes.where_placed import if_placed

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
    An index of truth values is turned into the list of the positions where it is true. Only the TPU has the length of
    that list: the host waits for it, and each new count recompiles, for seconds to minutes. `masked_fill_` writes all
    positions in one graph.

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
    harm = Harm.RECOMPILES
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
        tensor, mask = spelled(context, target.value), one_line(context, mask_of(target))
        is_apart = may_lie_apart(context, mask_of(target), target.value)
        where = say.phrase("if_placed", name=mask) if is_apart else if_placed(context, target.value)
        count, recompiles = TrueCounts(context.view.own).of(mask_of(target)), ""
        if count is None or count.index is not None:
            recompiles = say.phrase("for_each_count")
        elif is_apart:
            text = say("XP406.on_host", mask=mask)
            return self.finding(context.span(target), text, applicability=Applicability.MANUAL)
        written = masked_write(context, node)
        if written is None:
            text = _by_hand(context, node, target, {"recompiles": recompiles, "where": where}, is_apart)
            return self.finding(context.span(target), text, applicability=Applicability.MANUAL)
        name = "masked_fill_()" if ".masked_fill_(" in written.text else "torch.where()"
        if ".dim() - " in written.text:
            text = say("XP406.lifted", recompiles=recompiles, name=name, where=where, tensor=tensor)
        else:
            text = say("XP406.fixed", recompiles=recompiles, name=name, where=where)
        span = context.span(node)
        edit = ReplaceStatement(span, f"{written.before}\n{written.text}") if written.before else None
        return self.finding(context.span(target), text, edit or Replace(span, written.text), imports=written.imports)


def _by_hand(
    context: Context,
    node: ast.Assign | ast.AugAssign,
    target: ast.Subscript,
    said: dict[str, str],
    is_apart: bool,
) -> Text:
    """What is said, with what to write instead, where nothing is known to do the same."""
    tensor, mask = spelled(context, target.value), one_line(context, mask_of(target))
    first = f"{say.phrase('move_mask', tensor=tensor)} " if is_apart else ""
    selected = [n for n in ast.walk(node.value) if isinstance(n, ast.expr) and selection(context, n) is not None]
    others = [s for n in selected if (s := selection(context, n)) is not None and not _is_same(s.mask, mask_of(target))]
    if others:
        return say(
            "XP406.paired",
            **said,
            first=first,
            plain=mask,
            mask=factor(mask_of(target), mask),
            other=factor(others[0].mask, one_line(context, others[0].mask)),
            source=one_line(context, others[0].tensor),
            tensor=tensor,
        )
    return say("XP406.left", **said, recipe=f"{first}{_recipe(context, node, target, selected)}")


def _recipe(context: Context, node: ast.Assign | ast.AugAssign, target: ast.Subscript, selected: list[ast.expr]) -> str:
    tensor, mask = spelled(context, target.value), one_line(context, mask_of(target))
    value = one_line(context, node.value)
    is_changed = isinstance(node, ast.AugAssign)
    lacking = say.phrase("mask_dims")
    if not selected and not is_changed and is_number(context, node.value):
        return f"{say.phrase('written', written=f'{tensor}.masked_fill_({mask}, {value})')} {lacking}"
    held = context.tensors.held(context.view.own, node.value)
    if not is_changed and isinstance(node.value, ast.Name | ast.Attribute) and held.kind is None and not held.is_scalar:
        return f"{say.phrase('one_or_many', value=value, tensor=tensor, mask=mask)} {lacking}"
    indices = [index for n in selected if (index := index_of(context, n)) is not None]
    packed = _packed_before(context, node.value)
    for text in dict.fromkeys(one_line(context, index) for index in indices):
        value = value.replace(text, f"torch.where({mask}, {text}, 0)")
    key = "choose_values"
    if selected:
        value, key = value.replace(f"[{mask}]", "").replace(f"[{mask}, :]", ""), "choose_all"
    elif not packed and (is_changed or held.is_scalar):
        key = "choose"
    elif not packed:
        value = "values"
    if selected and isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Div | ast.FloorDiv | ast.Mod):
        # A zero outside of the mask would give NaN as gradient, also to the places that are chosen.
        value = f"torch.where({mask}, {value}, 1)"
    if isinstance(node, ast.AugAssign):
        # What the gradient of a product or a quotient needs must not be written to.
        needed = isinstance(node.op, ast.Mult | ast.Div | ast.Pow) and not is_number(context, node.value)
        value = f"{tensor}{'.clone()' if needed else ''} {_SIGNS.get(type(node.op), '·')} {value}"
    if indices or any(index_of(context, value) is not None for value in packed.values()):
        lacking = say.phrase("indices_in_range", mask=mask)
    if selected and (zeros := open_at_zero(context, [node.value])):
        texts = [(text.replace(f"[{mask}]", ""), sign) for text, sign in zeros]
        instead = series(f"`torch.where({text} {sign} 0, 1, {text})` instead of `{text}`" for text, sign in texts)
        lacking += f" {say.phrase('away_from_zero', instead=instead)}"
    chosen = f"{tensor}[...] = torch.where({mask}, {value}, {tensor})"
    if packed:
        names = series(f"`{name}`" for name in packed)
        return f"{say.phrase('choose_named', names=names, written=chosen)} {lacking}"
    return f"{say.phrase(key, written=chosen)} {lacking}"


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
