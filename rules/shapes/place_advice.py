"""What to do by hand about the places where a mask is true, as all of their uses say."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from xlaport.context import Context
from xlaport.facts.derived import Derived
from xlaport.facts.elementwise import is_of_same_rank
from xlaport.facts.held import Kind
from xlaport.facts.module import FunctionNode, walk_block
from xlaport.facts.names import How
from xlaport.facts.role import Role
from xlaport.facts.vocabulary import VIEW_METHODS

from ..one_line import one_line
from ..series import series
from .asked_counts import about, branch_on_count, can_go
from .batch_norms import counted
from .packed_order import need, packed
from .same_places import together
from .true_places import Places, Use, Used, formed, is_plain_index, lasts, texts, uses_of

_TO_HOST = frozenset({"cpu", "tolist", "numpy"})
_READS = frozenset({"item", *_TO_HOST})
_CHOSEN = "chosen"
_SHORT = 40


def advice(context: Context, places: Places) -> str | None:
    """What to do, where that is plain from how the places are used; None where only general things can be said."""
    uses = uses_of(context, places)
    host = _on_host(context, places, uses)
    if host is not None:
        return host
    names = texts(context, places.mask)
    looped = next((used for used in uses if used.how is Use.LOOPED), None)
    if looped is not None:
        return _looped(looped, names["mask"])
    hows = {used.how for used in uses}
    if hows == {Use.COUNTED}:
        return f"How many there are is {_count(names)}, {_where_counted(context, uses)}"
    if hows == {Use.FIRST}:
        one = names["operand"] if names["true"] == "true" else f"({names['mask']})"
        return f"In one dimension, the first of them alone is {one}.long().argmax(0), which stays on the device"
    rank = context.tensors.held(context.view.own, places.mask).rank
    is_whole = places.is_tuple and formed(context, places) is places.call
    if not hows or hows & {Use.OTHER, Use.FIRST} or not (is_whole or rank in (None, 1)):
        return None
    in_order = _packed(context, places, uses)
    if in_order is not None:
        return in_order
    text = _computed(context, places, uses, names)
    return text if is_whole or rank == 1 else f"Where {names['mask']} has one dimension, {text[0].lower()}{text[1:]}"


def besides(context: Context, places: Places) -> str:
    """What else to see to where all places are computed with: questions for their number, and statistics of rows."""
    found = uses_of(context, places)
    branch = branch_on_count(context, _questions(context, found))
    text = about(context, places, branch) if branch is not None else ""
    others = together(context, places.call, places.mask)
    return f"{text}{_handed_on(context, found)}{_counted_rows(context, places, found)}{others}"


def _handed_on(context: Context, found: list[Used]) -> str:
    """Where other code of the project gets the places."""
    for used in found:
        parent = context.module.parents.get(used.node) if used.how is Use.OTHER else None
        call = context.module.parents[parent] if isinstance(parent, ast.keyword) else parent
        if (
            isinstance(call, ast.Call)
            and used.node is not call.func
            and context.flow.structure.run_by(context.view.own, call)
        ):
            return f". Line {context.line(call)} hands the places on: what is done by them there needs the same"
    return ""


def _counted_rows(context: Context, places: Places, found: list[Used]) -> str:
    reads = (used.node for used in found if used.how is Use.READ and isinstance(used.node, ast.expr))
    return counted(context, reads, texts(context, places.mask)["mask"])


def _packed(context: Context, places: Places, uses: list[Used]) -> str | None:
    """What to do where something that is taken at the places is needed in their order."""
    for used in uses:
        node = used.node
        if used.how is not Use.READ or used.tensor is None or not isinstance(node, ast.expr) or not _is_of_rows(node):
            continue
        reason = need(context, node, places.mask)
        if reason is not None:
            text = packed(context, used.tensor, places.mask, reason, is_flat=True)
            is_flat = isinstance(node, ast.Call) or context.tensors.held(context.view.own, places.mask).rank == 1
            return text if is_flat else f"{text}, where {texts(context, places.mask)['mask']} has one dimension"
    return None


def _is_of_rows(node: ast.expr) -> bool:
    """``x[i]``, ``x.index_select(0, i)``, ``torch.index_select(x, 0, i)``: the first dimension alone is indexed."""
    if isinstance(node, ast.Call):  # which takes places of one dimension
        return any(isinstance(a, ast.Constant) and a.value == 0 for a in node.args)
    return isinstance(node, ast.Subscript) and not isinstance(node.slice, ast.Tuple)


def _computed(context: Context, places: Places, uses: list[Used], names: dict[str, str]) -> str:
    """All places in the stead of those that the mask selects, and a choice by the mask where that is written back."""
    reads = [used for used in uses if used.how is Use.READ]
    inner = [used for used in uses if used.how is Use.INNER]
    whole = list(dict.fromkeys(_whole(context, used) for used in reads if used.tensor is not None))
    stores = list(_stores(context, uses, reads, inner))
    kept = _kept(context, places, names["mask"]) if stores else None
    mask = names["mask"] if kept is None else _CHOSEN
    count = f"{mask}.sum()" if kept is not None else _count(names)
    instead = ""
    if whole:
        taken = list(dict.fromkeys(one_line(context, used.node) for used in reads))
        part = taken[0] if len(taken) == 1 else "their elements at these places"
        instead = f"compute with all of {series(whole)} in the place of {part}"
    if not stores:
        forms = [f"torch.where({mask}, values, 0) in front of a sum"]
        if any(_is_method(context, used.node, "mean") for used in reads):
            forms.append(f"torch.where({mask}, values, 0).sum() / {count} for a mean over one dimension")
        forms.append(f"torch.where({mask}, values, old) where they are written back to the same places")
        text = f"{_capital(instead)}, and let the mask decide where it matters which of them count: {', '.join(forms)}"
    else:
        before = f"with {_CHOSEN} = {kept}, as it is here, " if kept is not None else ""
        written = series([store.format(mask=mask) for store in stores])
        begin = f"{instead}, and " if instead else ""
        text = _capital(f"{before}{begin}write {written}")
    dimensions, harm = _dimensions(context, places, uses, mask), _harm(reads, stores, mask)
    others = f"{_returned(context, reads, stores)}{together(context, places.call, places.mask)}"
    return (
        f"{text}{dimensions}{harm}{_empty(context, places, uses, count)}{_counted_rows(context, places, uses)}{others}"
    )


def _returned(context: Context, reads: list[Used], stores: list[str]) -> str:
    """What to say where a function hands back what is computed at the places, one element for each."""
    values = [used.node for used in reads if isinstance(used.node, ast.expr)] if not stores else []
    for node in values:
        function, derived = context.module.function(node), Derived(context.view.own, node)
        if not isinstance(function, FunctionNode):
            continue
        for statement in walk_block(function.body):
            value = statement.value if isinstance(statement, ast.Return) else None
            parts = value.elts if isinstance(value, ast.Tuple) else [value] if value is not None else []
            if any(derived.has(part) and not _is_one_number(context, part) for part in parts):
                return (
                    f". Where what line {context.line(statement)} returns has an element for each place then, a mean "
                    "of it, its length and what is paired with it have to change in the callers, too"
                )
    return ""


def _is_one_number(context: Context, node: ast.expr) -> bool:
    return context.tensors.held(context.view.own, node).rank == 0


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


def _dimensions(context: Context, places: Places, uses: list[Used], mask: str) -> str:
    """What the mask lacks, where it may have fewer dimensions than what is indexed."""
    tensors = [used.tensor for used in uses if used.tensor is not None]
    if all(is_of_same_rank(context.view.own, places.mask, tensor) for tensor in tensors):
        return ""
    return (
        f"; where a tensor has more dimensions than {mask}, the latter gets them first, by unsqueeze(-1) where they "
        "are the last ones"
    )


def _harm(reads: list[Used], stores: list[str], mask: str) -> str:
    if not reads or not stores:
        return ""
    return (
        ". All that is computed with them has all places then, too: leave the others out of a sum, by "
        f"torch.where({mask}, values, 0), and see that they do no harm, as an index that is out of range there"
    )


def _empty(context: Context, places: Places, uses: list[Used], count: str) -> str:
    """What becomes of the count, which is asked besides."""
    counted = [used.node for used in uses if used.how is Use.COUNTED]
    if not counted:
        return ""
    asked = _questions(context, uses)
    branch = branch_on_count(context, asked)
    if branch is not None and not can_go(context, places, branch):
        return about(context, places, branch)
    if len(asked) == len(counted):
        return ". Whether there are any is not asked then"
    return f". How many there are is {count}"


def _questions(context: Context, uses: list[Used]) -> list[ast.expr]:
    """The counts that are compared with 0, or with 1, in a condition."""
    counts = [used.node for used in uses if used.how is Use.COUNTED and isinstance(used.node, ast.expr)]
    return [node for node in counts if _is_question(context, node)]


def _where_counted(context: Context, uses: list[Used]) -> str:
    """Where a sum in the place of a count stays, as a clause: what the host asks of it, it waits for."""
    counts = [used.node for used in uses]
    statements = [context.module.parents[node] for node in counts]
    named = [u for s in statements if isinstance(s, ast.Assign) for t in s.targets for u in context.names.uses_of(t)]
    parents = [context.module.parents[use] for use in named] + [s for s in statements if not isinstance(s, ast.Assign)]
    if all(isinstance(parent, ast.BinOp) and context.roles.is_(parent, Role.TENSOR) for parent in parents):
        return "which stays on the device"
    asked = next((node for node in [*counts, *named] if _is_question(context, node)), None)
    if asked is not None:
        return f"a sum of one graph; line {context.line(asked)} is a question of the host, which waits for it as before"
    return (
        "a sum of one graph, which stays on the device where only tensors are computed with it: for what a condition "
        "of the host asks of it, the step waits as before"
    )


def _is_question(context: Context, node: ast.AST) -> bool:
    """Whether a count is compared with 0, or with 1, in a condition."""
    parent = context.module.parents[node]
    if isinstance(parent, ast.Compare):
        return all(isinstance(c, ast.Constant) and c.value in (0, 1) for c in parent.comparators)
    return isinstance(parent, ast.If | ast.BoolOp | ast.UnaryOp)


# -- the host ------------------------------------------------------------------------------------------


def _on_host(context: Context, places: Places, uses: list[Used]) -> str | None:
    """Where the places themselves go to the host, they can be listed there."""
    mask = texts(context, places.mask)["operand"]
    text = (
        f"They go to the host anyway: fetch the mask itself, {mask}.cpu(), and what else is needed, and list its "
        "places there: no new count is another graph then, unless tensors of the device are cut by these places"
    )
    if any(_is_method(context, node, *_TO_HOST) for node in _chain(context, places)):
        return text
    ends = [used for used in uses if used.how is Use.OTHER]
    return text if ends and all(_is_fetched(context, used.node) for used in ends) else None


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


def _looped(used: Used, mask: str) -> str:
    """A loop over places: on the host, if it reads values there."""
    if isinstance(used.node, ast.For) and any(
        isinstance(n, ast.Call) and _is_one_of(n, _READS) for s in used.node.body for n in ast.walk(s)
    ):
        return (
            "The loop over them reads values in each pass, too: fetch the tensors that it works on once, before it, by "
            ".cpu(), and do all of it on the host"
        )
    return (
        "A loop over them is a part of the graph, pass by pass: compute with all places at once, and let "
        f"torch.where({mask}, …, 0) keep what counts"
    )


# -- words ---------------------------------------------------------------------------------------------


def _count(names: dict[str, str]) -> str:
    return f"{names['operand']}.{'sum' if names['true'] == 'true' else 'count_nonzero'}()"


def _is_method(context: Context, node: ast.AST, *methods: str) -> bool:
    """Whether a method is called on an expression."""
    parent = context.module.parents[node]
    return isinstance(parent, ast.Attribute) and parent.attr in methods


def _is_one_of(call: ast.Call, methods: Iterable[str]) -> bool:
    return isinstance(call.func, ast.Attribute) and call.func.attr in methods


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
