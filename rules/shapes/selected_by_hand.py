"""What to do about selections that nobody can rewrite, in the user's own names."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.elementwise import is_of_same_rank
from xlaport.facts.role import Role
from xlaport.facts.true_counts import TrueCounts

from ..one_line import one_line
from ..parentheses import factor
from .as_index import index_of
from .baked import COST
from .batch_norms import counted
from .boxes import to_host
from .divisors import divided
from .packed_order import need, packed
from .pairing import paired
from .places_of_sizes import made_on_host
from .selection import Selection
from .where_placed import where_placed

_STEEP = frozenset("log log2 log10 log1p sqrt rsqrt reciprocal norm pow div divide true_divide".split())
"""Functions that have no finite value or derivative somewhere."""


def by_hand(context: Context, selections: list[Selection], more: str) -> str:
    """The message for one or several selections by one mask; `more` tells of those after the first."""
    first = selections[0]
    count = TrueCounts(context.view.own).of(first.mask)
    node = f"{one_line(context, first.node)}{more}"
    if count is None:
        host = to_host(context, first.node)
        if host is not None:
            return f"{why(context, first, more)}. {host}"
        for selected in selections:
            reason = need(context, selected.node, selected.mask)
            if reason is not None:
                return f"{why(context, first, more)}. {packed(context, selected.tensor, selected.mask, reason)}"
        beside = next((text for selected in selections if (text := paired(context, selected)) is not None), None)
        return f"{why(context, first, more)}. {beside or f'Instead, {_general(context, selections)}'}"
    if count.index is None:
        like = (
            f", and by sizes in the place of {' and '.join(f'{name}()' for name in count.like)}" if count.like else ""
        )
        by_index = "an index by it"
        if not first.is_index:
            whole = factor(first.tensor, one_line(context, first.tensor))
            by_index = f"{whole}[{one_line(context, first.mask)}], an index by it,"
        return (
            f"{node} has as many elements as the mask has true places. The mask comes of sizes and numbers alone, "
            f"which the host has, and yet it waits for the device to count them. {made_on_host(context, count)}, "
            f"without device= and without .to(device){like}: {by_index} waits for nothing"
        )
    tensor, index = one_line(context, first.tensor), one_line(context, count.index)
    taken = f"{factor(first.tensor, tensor)}.gather(-1, {factor(count.index, index)}.long().unsqueeze(-1)).squeeze(-1)"
    where = "" if is_of_same_rank(context.view.own, first.mask, first.tensor) else "Where both have two dimensions, "
    write = f"{where}write {taken}" if where else f"Write {taken}"
    return (
        f"{node} has one element for each row, which {index} names, and yet the host waits to be told how many the "
        f"mask lets through. {write}: that asks nobody"
    )


def why(context: Context, first: Selection, more: str) -> str:
    """What a selection costs, as the begin of a message."""
    return (
        f"{where_placed(context, first.tensor)}{one_line(context, first.node)}{more} has as many elements as the mask "
        f"has true places: the host waits for their number, and each new one is {COST}"
    )


def _general(context: Context, selections: list[Selection]) -> str:
    first = selections[0]
    mask = one_line(context, first.mask)
    around = [(n, selected.node) for selected in selections for n in _expressions(context, selected.node)]
    forms = [f"torch.where({mask}, values, 0) in front of a sum"]
    if any(isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute) and n.func.attr == "mean" for n, _ in around):
        fits = is_of_same_rank(context.view.own, first.mask, first.tensor)
        count = f"{factor(first.mask, mask)}{'' if fits else '.expand_as(values)'}.sum()"
        forms[0] = f"torch.where({mask}, values, 0).sum() / {count} for a mean"
    if any(_is_steep(n, selected) for n, selected in around):
        forms.append(
            f"torch.where({mask}, values, 1) in front of a division, a root or a logarithm, which may be infinite "
            "where the mask is false"
        )
    if any(index_of(context, selected.node) is not None for selected in selections):
        forms.append(f"torch.where({mask}, values, 0) for an index, which may be out of range where the mask is false")
    forms += [
        f"torch.where({mask}, values, old) where they are written back to the same places",
        *_packed_behind(context, selections),
        "a score of -inf in front of topk()",
        "a label that the loss ignores (ignore_index)",
        "a selection on the host, by .cpu() of both, for what goes there in the end",
    ]
    asked = _asked(context, selections)
    lacking = ""
    if not is_of_same_rank(context.view.own, first.mask, first.tensor):
        lacking = f". If {mask} has fewer dimensions than the values, give it the missing ones, by unsqueeze(-1)"
    return (
        "compute with all places, and let the mask decide where it matters which of them count: "
        f"{', '.join(forms)}{lacking}{divided(context, selections)}{asked}"
        f"{counted(context, (s.node for s in selections), mask)}"
    )


def _packed_behind(context: Context, selections: list[Selection]) -> Iterator[str]:
    """Where those that count go if they are put one behind another, as into a ring buffer, which their number moves."""
    for selected in selections:
        flat = "" if context.tensors.held(context.view.own, selected.mask).rank == 1 else ".flatten()"
        packed = f"{factor(selected.mask, one_line(context, selected.mask))}{flat}.long().cumsum(0) - 1"
        if index_of(context, selected.node) is not None:
            # Whoever gets what is taken by the index may count on as many as the mask lets through.
            yield f"{packed} as the places of those that are packed one behind another"
            return
        statement = context.module.parents[selected.node]
        targets = statement.targets if isinstance(statement, ast.Assign) else []
        for use in (use for target in targets for use in context.names.uses_of(target)):
            call = context.module.parents[use]
            if not isinstance(call, ast.Call) or use not in call.args:
                continue
            around = context.module.parents[call]
            is_factor = isinstance(around, ast.BinOp) and context.roles.is_(around, Role.TENSOR)
            if context.resolve(call.func) == "builtins.len" and not is_factor:
                yield f"{packed} as the places of those that are packed one behind another"
                return


def _asked(context: Context, selections: list[Selection]) -> str:
    """What to say of a loop or a branch that asks how many elements are left."""
    for selected in selections:
        statement = context.module.parents[selected.node]
        targets = statement.targets if isinstance(statement, ast.Assign) and statement.value is selected.node else []
        for name in (target.id for target in targets if isinstance(target, ast.Name)):
            for use in context.names.uses(context.names.scope(selected.node), name):
                around = _question(context, use)
                if around is not None:
                    is_loop = isinstance(around, ast.While)
                    what, instead = ("loop", "a fixed number of passes") if is_loop else ("branch", "the mask itself")
                    return (
                        f". The {what} in line {context.line(around)} goes by the size of {name}, which stays the same "
                        f"then: it has to go by {instead}"
                    )
    if any(_is_collected(context, selected.node) for selected in selections):
        return (
            ". It is put into a list: what asks for its length there has to go by the mask then, and labels outside of "
            "it have to be clamped to ones that are allowed"
        )
    return ""


def _is_collected(context: Context, node: ast.expr) -> bool:
    """``parts.append(x[mask])``."""
    call = context.module.parents[node]
    return isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "append"


def _question(context: Context, use: ast.Name) -> ast.While | ast.If | None:
    """The loop or branch whose condition asks for the size of a name."""
    asks = context.module.parents[use]
    is_len = isinstance(asks, ast.Call) and isinstance(asks.func, ast.Name) and asks.func.id == "len"
    if not is_len and not (isinstance(asks, ast.Attribute) and asks.attr in ("numel", "nelement", "size", "shape")):
        return None
    child: ast.AST = use
    for parent in context.module.ancestors(use):
        if isinstance(parent, ast.While | ast.If):
            return parent if parent.test is child else None
        if isinstance(parent, ast.stmt):
            return None
        child = parent
    return None


def _expressions(context: Context, node: ast.expr) -> Iterator[ast.AST]:
    """The expressions around one, and its statement where that changes what it writes to."""
    for ancestor in context.module.ancestors(node):
        if isinstance(ancestor, ast.AugAssign) or not isinstance(ancestor, ast.stmt):
            yield ancestor
        if isinstance(ancestor, ast.stmt):
            return


def _is_steep(around: ast.AST, node: ast.expr) -> bool:
    if isinstance(around, ast.AugAssign):
        return isinstance(around.op, ast.Div | ast.FloorDiv | ast.Mod | ast.Pow)
    if isinstance(around, ast.BinOp):
        is_divisor = isinstance(around.op, ast.Div | ast.FloorDiv | ast.Mod) and node in set(ast.walk(around.right))
        return is_divisor or (isinstance(around.op, ast.Pow) and node in set(ast.walk(around.left)))
    if not isinstance(around, ast.Call):
        return False
    func = around.func
    return (func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")) in _STEEP
