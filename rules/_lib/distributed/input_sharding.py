"""How the batches of a loader are divided over the chips, in a program of one process for all of them."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.facts.loaders import loaders_of
from xlaport.facts.origins import Origins
from xlaport.facts.spot import Spot
from xlaport.rule import Import, Replace

from ..arguments import with_argument

_DEEP = 6
_DATASET = "torch.utils.data.TensorDataset"


def undivided(context: Context) -> list[ast.Call]:
    """The loaders of batches for the device that divide none, where the program runs as one process for all chips."""
    return device_loaders(context) if is_spmd(context) else []


def is_spmd(context: Context) -> bool:
    """Whether a file makes its program one process for all chips."""
    spmd = context.target.symbol("use_spmd").qualified
    return any(context.resolve(call.func) == spmd for call in context.module.calls)


def device_loaders(context: Context) -> list[ast.Call]:
    """The loaders of batches for the device that say nothing of how a batch is divided."""
    return [
        call
        for call in context.module.calls
        if context.resolve(call.func) in context.target.loaders
        and call.args
        and not any(k.arg in ("input_sharding", None) for k in call.keywords)
    ]


def divided(context: Context, call: ast.Call, of_mesh: str | None = None) -> tuple[Replace, tuple[Import, ...]] | None:
    """The edit that divides the batches by their first dimension; None where their dimensions are not known.

    `of_mesh`: the axis of the mesh, where the file has none.
    """
    rank, axis = _rank(context, call.args[0]), of_mesh or _axis(context)
    if rank is None or axis is None:
        return None
    spec, imports = context.symbol("sharding_spec", call)
    mesh, more = context.symbol("mesh_of_all", call)
    dimensions = ", ".join([f'"{axis}"', *["None"] * (rank - 1)])
    argument = f'input_sharding={spec}({mesh}("{axis}"), ({dimensions}{"," if rank == 1 else ""}))'
    return with_argument(context, call, argument), (*imports, *more)


def _axis(context: Context) -> str | None:
    """The one axis of the file's only mesh."""
    one = context.target.symbol("mesh_of_all").qualified
    meshes = [call for call in context.module.calls if context.resolve(call.func) == one]
    axes = {a.value for call in meshes for a in call.args if isinstance(a, ast.Constant) and isinstance(a.value, str)}
    return axes.pop() if len(axes) == 1 else None


def _rank(context: Context, loader: ast.expr) -> int | None:
    """The most dimensions of the tensors of a batch: one more than those of a sample have."""
    ranks: set[int | None] = set()
    sources = Origins(context.flow.structure)
    for made in loaders_of(context.flow.structure, context.view.own, loader):
        for given in made.spots("dataset"):
            for spot in sources.of(given.facts, given.node) or [given]:
                node = spot.node
                if not isinstance(node, ast.Call) or spot.facts.names.resolve(node.func) != _DATASET:
                    return None
                held = [_dimensions(context, Spot(spot.facts, argument), 0) for argument in node.args]
                ranks.add(None if None in held else max(rank for rank in held if rank is not None))
    return ranks.pop() if len(ranks) == 1 else None


def _dimensions(context: Context, spot: Spot, depth: int) -> int | None:
    """In how many dimensions a tensor lies: by its shape where it is made, through names, calls and slices."""
    node = spot.node
    known = context.tensors.held(spot.facts, node).rank
    if known is not None or depth > _DEEP:
        return known
    if isinstance(node, ast.Subscript):
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if all(isinstance(part, ast.Slice) for part in parts):
            return _dimensions(context, Spot(spot.facts, node.value), depth + 1)
        return None
    if isinstance(node, ast.Call) and spot.facts.names.resolve(node.func) == "torch.randint":
        shapes = [a for a in [*node.args, *(k.value for k in node.keywords if k.arg == "size")] if _is_display(a)]
        return len(shapes[0].elts) if len(shapes) == 1 and isinstance(shapes[0], ast.Tuple | ast.List) else None
    found = Origins(context.flow.structure).of(spot.facts, node) or []
    ranks = {_dimensions(context, other, depth + 1) for other in found if other.node is not node}
    return ranks.pop() if len(ranks) == 1 else None


def _is_display(node: ast.expr) -> bool:
    return isinstance(node, ast.Tuple | ast.List)
