"""What to do by hand about the places where a mask is true, as all of their uses say."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import replace

from xlaport.context import Context
from xlaport.facts.held import Kind
from xlaport.facts.names import How
from xlaport.facts.vocabulary import VIEW_METHODS
from xlaport.wording import Text

from ..._lib.one_line import one_line
from ..._lib.series import series
from ..._lib.shapes.batch_norms import counted
from ..._lib.shapes.packed_order import need, packed
from ..._lib.shapes.saying import say
from ..._lib.shapes.true_places import Places, Use, Used, formed, is_plain_index, lasts, texts, uses_of

_TO_HOST = frozenset({"cpu", "tolist", "numpy"})
_READS = frozenset({"item", *_TO_HOST})
_CHOSEN = "chosen"
_SHORT = 40


def advice(context: Context, places: Places, text: Text) -> Text:
    """What is said of a call, with what to do as far as that is plain from how the places are used."""
    uses = uses_of(context, places)
    names = texts(context, places.mask)
    if _is_for_host(context, places, uses):
        return replace(text, recipe=say.phrase("places_on_host", mask=names["operand"]))
    looped = next((used for used in uses if used.how is Use.LOOPED), None)
    if looped is not None:
        recipe = say.phrase("loop_reads") if _reads_values(looped) else say.phrase("loop", mask=names["mask"])
        return replace(text, recipe=recipe)
    hows = {used.how for used in uses}
    if hows == {Use.COUNTED}:
        return replace(text, recipe=say.phrase("count", count=names["count"]))
    if hows == {Use.FIRST}:
        one = names["operand"] if names["true"] == "true" else f"({names['mask']})"
        return replace(text, recipe=say.phrase("first", mask=one))
    rank = context.tensors.held(context.view.own, places.mask).rank
    is_whole = places.is_tuple and formed(context, places) is places.call
    if hows and not hows & {Use.OTHER, Use.FIRST} and (is_whole or rank in (None, 1)):
        text = _packed(context, places, uses, text) or _written(context, places, uses, text) or text
    reads = (used.node for used in uses if used.how is Use.READ and isinstance(used.node, ast.expr))
    return replace(text, recipe=f"{text.recipe}{counted(context, reads)}")


def _packed(context: Context, places: Places, uses: list[Used], text: Text) -> Text | None:
    """What to do where something that is taken at the places is needed in their order."""
    for used in uses:
        node = used.node
        if used.how is not Use.READ or used.tensor is None or not isinstance(node, ast.expr) or not _is_of_rows(node):
            continue
        reason = need(context, node, places.mask)
        if reason is not None:
            recipe, snippet = packed(context, used.tensor, places.mask, reason, is_flat=True)
            return replace(text, recipe=recipe, snippet=snippet)
    return None


def _is_of_rows(node: ast.expr) -> bool:
    """``x[i]``, ``x.index_select(0, i)``, ``torch.index_select(x, 0, i)``: the first dimension alone is indexed."""
    if isinstance(node, ast.Call):  # which takes places of one dimension
        return any(isinstance(a, ast.Constant) and a.value == 0 for a in node.args)
    return isinstance(node, ast.Subscript) and not isinstance(node.slice, ast.Tuple)


def _written(context: Context, places: Places, uses: list[Used], text: Text) -> Text | None:
    """All places instead of those that the mask selects, and a choice by the mask where they are written back."""
    reads = [used for used in uses if used.how is Use.READ]
    stores = list(_stores(context, uses, reads, [used for used in uses if used.how is Use.INNER]))
    if not stores:
        return None
    mask = texts(context, places.mask)["mask"]
    kept = _kept(context, places, mask)
    chosen = mask if kept is None else _CHOSEN
    lines = [*([f"{_CHOSEN} = {kept}"] if kept is not None else []), *(s.format(mask=chosen) for s in stores)]
    whole = [f"`{name}`" for name in dict.fromkeys(_whole(context, used) for used in reads if used.tensor is not None)]
    begin = say.phrase("compute_all", tensors=series(whole), mask=chosen) if whole else ""
    is_whole = places.is_tuple and formed(context, places) is places.call
    if not is_whole and context.tensors.held(context.view.own, places.mask).rank != 1:
        begin = f"{say.phrase('one_dimension')}{begin}"
    return replace(text, recipe=f"{begin}{say.phrase('choose_places', mask=chosen)}", snippet="\n".join(lines))


def _kept(context: Context, places: Places, mask: str) -> str | None:
    """The mask as it is to be kept for later; None where it is used at once, or stays what it is."""
    parent = context.module.parents[formed(context, places)]
    if not isinstance(parent, ast.Assign) and len(mask) <= _SHORT:
        return None
    node = places.mask
    if isinstance(node, ast.Name) and lasts(context, node):
        return None
    if isinstance(node, ast.Compare | ast.BinOp | ast.UnaryOp) or mask != one_line(context, node):
        return mask
    is_new = isinstance(node, ast.Call) and getattr(node.func, "attr", "") not in VIEW_METHODS
    return mask if is_new else f"{mask}.clone()"


def _stores(context: Context, uses: list[Used], reads: list[Used], inner: list[Used]) -> Iterator[str]:
    """What is written back, each with ``{mask}``."""
    found: dict[str, None] = {}
    for used in uses:
        if used.tensor is None or used.how not in (Use.WRITTEN, Use.ADDED):
            continue
        text = _whole(context, used)
        if used.how is Use.ADDED:
            found[f"{text} += torch.where({{mask}}, …, 0)"] = None
        else:
            found[_chosen(context, used.tensor, text)] = None
    for used in reads:
        target = _same_place(context, used)
        if target is not None:
            found[_chosen(context, target, one_line(context, target))] = None
    for used in inner:
        if isinstance(used.node, ast.Subscript) and used.tensor is not None:
            text = f"{one_line(context, used.node.value)}[{one_line(context, used.tensor)}]"
            new = _new(context, used.node)
            is_read = isinstance(used.node.ctx, ast.Load)
            found[
                f"torch.where({{mask}}, {text}, …)" if is_read else f"{text} = torch.where({{mask}}, {new}, {text})"
            ] = None
    yield from found


def _whole(context: Context, used: Used) -> str:
    """What is indexed, with all places in the stead of those that the mask selects: ``x[:, :2]`` of ``x[i, :2]``."""
    assert used.tensor is not None
    text = one_line(context, used.tensor)
    index = used.node.slice if isinstance(used.node, ast.Subscript) else None
    if not isinstance(index, ast.Tuple):
        return text
    elements = [e if is_plain_index(e) else None for e in index.elts]
    return f"{text}[{', '.join(':' if e is None else one_line(context, e) for e in elements)}]"


def _chosen(context: Context, tensor: ast.expr, text: str) -> str:
    """A choice between what is new and what was there: in place, where the tensor is not the function's own."""
    if text != one_line(context, tensor):
        return f"{text} = torch.where({{mask}}, …, {text})"
    own = isinstance(tensor, ast.Name) and all(
        b.how is not How.PARAMETER and not b.elsewhere for b in context.names.bindings(tensor)
    )
    return f"{text} = torch.where({{mask}}, …, {text})" if own else f"{text}.copy_(torch.where({{mask}}, …, {text}))"


def _new(context: Context, store: ast.Subscript) -> str:
    """What is written: a number into truth values as one of them, which a store by a tensor of places wants."""
    statement = context.module.statement(store)
    value = statement.value if isinstance(statement, ast.Assign) else None
    is_bool = context.tensors.held(context.view.own, store.value).kind is Kind.BOOL
    return str(bool(value.value)) if is_bool and isinstance(value, ast.Constant) else "…"


def _same_place(context: Context, used: Used) -> ast.expr | None:
    """``y`` of ``y[mask.nonzero()] = x[mask.nonzero()]``, for a read of x."""
    statement = context.module.statement(used.node)
    target = statement.targets[0] if isinstance(statement, ast.Assign) and len(statement.targets) == 1 else None
    if not isinstance(target, ast.Subscript) or not isinstance(used.node, ast.Subscript):
        return None
    return target.value if ast.dump(target.slice) == ast.dump(used.node.slice) else None


# -- the host ------------------------------------------------------------------------------------------


def _is_for_host(context: Context, places: Places, uses: list[Used]) -> bool:
    """Whether the places themselves go to the host, where they can be listed."""
    if any(_is_method(context, node, *_TO_HOST) for node in _chain(context, places)):
        return True
    ends = [used for used in uses if used.how is Use.OTHER]
    return bool(ends) and all(_is_fetched(context, used.node) for used in ends)


def _chain(context: Context, places: Places) -> Iterator[ast.AST]:
    """The call, and what is made of it, up to the whole form."""
    whole = formed(context, places)
    node: ast.AST = places.call
    while node is not whole:
        yield node
        node = context.module.parents[node]


def _is_fetched(context: Context, node: ast.AST) -> bool:
    """Whether the expression around a use ends in `.cpu()` or the like."""
    for parent in context.module.ancestors(node):
        if isinstance(parent, ast.stmt):
            return False
        if isinstance(parent, ast.Call) and _is_one_of(parent, _TO_HOST):
            return True
    return False


def _reads_values(used: Used) -> bool:
    """Whether a loop over places reads values."""
    body = used.node.body if isinstance(used.node, ast.For) else []
    return any(isinstance(n, ast.Call) and _is_one_of(n, _READS) for s in body for n in ast.walk(s))


def _is_method(context: Context, node: ast.AST, *methods: str) -> bool:
    """Whether a method is called on an expression."""
    parent = context.module.parents[node]
    return isinstance(parent, ast.Attribute) and parent.attr in methods


def _is_one_of(call: ast.Call, methods: Iterable[str]) -> bool:
    return isinstance(call.func, ast.Attribute) and call.func.attr in methods
