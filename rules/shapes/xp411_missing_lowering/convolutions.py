"""Functions that work on rows, tensors of three dimensions: those that call a `Conv1d`, and none of more dimensions."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.facts.origins import Origins
from xlaport.facts.spot import Spot

_OF_ROWS = frozenset({"torch.nn.Conv1d", "torch.nn.ConvTranspose1d"})
_OF_MORE = frozenset(f"torch.nn.{name}{n}d" for name in ("Conv", "ConvTranspose") for n in (2, 3))


def works_on_rows(context: Context, call: ast.Call, bound: ast.expr | None) -> bool:
    """Whether what a call gets is known to have three dimensions, or lies between layers that take such."""
    tensor = bound if bound is not None else next(iter(call.args), None)
    if tensor is None:
        return False
    rank = context.tensors.held(context.view.own, tensor).rank
    if rank is not None:
        return rank == 3
    function = context.module.function(call)
    found: set[str] = set()
    for other in context.module.calls if function is not None else ():
        if context.module.function(other) is function and isinstance(other.func, ast.Attribute):
            for spot in Origins(context.flow.structure).of(context.view.own, other.func) or ():
                found |= _layers(context, spot)
    return bool(found & _OF_ROWS) and not found & _OF_MORE


def _layers(context: Context, spot: Spot) -> set[str]:
    """The class that a value is made of, and what it derives from."""
    if not isinstance(spot.node, ast.Call):
        return set()
    structure = context.flow.structure
    owner = structure.class_named(spot.facts, spot.node.func)
    if owner is None:
        return {spot.facts.names.resolve(spot.node.func) or ""}
    bases = [(base.facts, expression) for base in structure.bases(owner) for expression in base.node.bases]
    return {facts.names.resolve(expression) or "" for facts, expression in bases}
