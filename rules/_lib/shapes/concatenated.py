"""Pieces of changing sizes that are put together in one list by a concatenation: padding would lie between them."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.facts.literals import integer

from ..one_line import one_line
from .packed_order import uses
from .places import Place
from .saying import say

_JOINING = frozenset({"torch.cat", "torch.concat", "torch.concatenate"})


def concatenated(context: Context, place: Place) -> str | None:
    """What to do where the result that a number is the size of is a piece of a longer one; None where it is none."""
    join = next((call for use in uses(context, place.node) if (call := _joined(context, use)) is not None), None)
    if join is None or not isinstance(place.node, ast.Call):
        return None
    join_line = context.line(join)
    sizes = _sizes(place.node)
    axis = next((i for i, size in enumerate(sizes) if size is place.number), None)
    if place.construct.name != "torch.Tensor.expand" or axis is None or _along(join, len(sizes)) != axis:
        recipe = place.construct.recipe
        return f"{recipe} {say.phrase('masks_joined', line=join_line)}" if "mask the rest" in recipe else None
    return say.phrase(
        "pieces_looked_up",
        vector=one_line(context, place.tensor) if place.tensor is not None else "piece",
        number=one_line(context, place.number),
        axis=axis,
    )


def _joined(context: Context, piece: ast.expr) -> ast.Call | None:
    """The concatenation of the list that a value is put into."""
    parents = context.module.parents
    parent = parents[piece]
    listed: ast.AST | None = None
    if isinstance(parent, ast.Call) and isinstance(parent.func, ast.Attribute) and parent.func.attr == "append":
        listed = parent.func.value
    elif isinstance(parent, ast.ListComp) and parent.elt is piece:
        outer = parents[parent]
        if isinstance(outer, ast.Call):
            return outer if _joins(context, outer, parent) else None
        listed = outer.targets[0] if isinstance(outer, ast.Assign) and outer.value is parent else None
    if not isinstance(listed, ast.Name):
        return None
    made = [listed] if isinstance(listed.ctx, ast.Store) else [b.node for b in context.names.reaching(listed)]
    uses = (use for target in made if isinstance(target, ast.Name) for use in context.names.uses_of(target))
    calls = ((parents[use], use) for use in uses)
    return next((call for call, use in calls if isinstance(call, ast.Call) and _joins(context, call, use)), None)


def _joins(context: Context, call: ast.Call, listed: ast.expr) -> bool:
    return call.args[:1] == [listed] and context.resolve(call.func) in _JOINING


def _sizes(call: ast.Call) -> list[ast.expr]:
    """The sizes that ``x.expand(n, -1)`` gets, one by one or as a tuple."""
    given = call.args
    return given[0].elts if len(given) == 1 and isinstance(given[0], ast.Tuple | ast.List) else given


def _along(join: ast.Call, rank: int) -> int | None:
    """The dimension that a concatenation is along."""
    given = join.args[1] if len(join.args) > 1 else next((k.value for k in join.keywords if k.arg == "dim"), None)
    if given is None:
        return 0 if not any(k.arg == "axis" for k in join.keywords) else None
    axis = integer(given)
    return axis + rank if axis is not None and axis < 0 else axis
