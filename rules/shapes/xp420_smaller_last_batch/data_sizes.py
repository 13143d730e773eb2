"""How many samples a loader goes through, and how many are in a batch, where that is written or known."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from xlaport.context import Context
from xlaport.facts.literals import integer
from xlaport.facts.loaders import Loader
from xlaport.facts.options import defaults
from xlaport.facts.origins import Origins
from xlaport.facts.spot import Spot
from xlaport.tables import read_table

FILE = Path(__file__).parents[1] / "data_sizes.toml"


@dataclass(frozen=True)
class Sized:
    """A data set of the table `data_sizes.toml`, as the comment at its top describes it."""

    parameter: str
    default: str
    sizes: dict[str, int]


@cache
def table() -> dict[str, Sized]:
    """The data sets whose sizes are known, by their qualified names."""
    return {name: Sized(**entry) for name, entry in read_table(FILE).items()}


def samples(context: Context, loader: Loader) -> int | None:
    """The number of samples that a loader goes through: all of a data set of the table, in one process."""
    if loader.has("sampler"):
        return None
    origins = Origins(context.flow.structure)
    found: set[int | None] = set()
    for spot in loader.spots("dataset"):
        found |= {_size(origins, origin) for origin in origins.of(spot.facts, spot.node) or [spot]}
    return found.pop() if len(found) == 1 else None


def batch_size(context: Context, loader: Loader) -> int | None:
    """The batch size of a loader, where it is written, if only in another place."""
    found = {_number(origin.node) for origin in _origins(context, loader)} or {_constant(loader)}
    return found.pop() if len(found) == 1 else None


def usual_batch_size(context: Context, loader: Loader) -> int | None:
    """The same, and where an option chooses it, the option's default."""
    found: set[int | None] = set()
    for origin in _origins(context, loader):
        node = origin.node
        given = defaults(origin.facts, node.attr) if isinstance(node, ast.Attribute) else [node]
        found |= {_number(value) for value in given} or {None}
    found = found or {_constant(loader)}
    return found.pop() if len(found) == 1 else None


def _origins(context: Context, loader: Loader) -> list[Spot]:
    origins = Origins(context.flow.structure)
    return [o for spot in loader.spots("batch_size") for o in origins.of(spot.facts, spot.node) or [spot]]


def _constant(loader: Loader) -> int | None:
    size = loader.given["batch_size"].constant
    return size if isinstance(size, int) else None


def _number(node: ast.expr) -> int | None:
    """``512``, ``64 * 1024``."""
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Mult):
        return integer(node)
    left, right = _number(node.left), _number(node.right)
    return left * right if left is not None and right is not None else None


def _size(origins: Origins, spot: Spot) -> int | None:
    call = spot.node
    known = table().get(spot.facts.names.resolve(call.func) or "") if isinstance(call, ast.Call) else None
    if known is None or not isinstance(call, ast.Call) or any(isinstance(a, ast.Starred) for a in call.args):
        return None
    if any(k.arg is None for k in call.keywords):
        return None
    given = next((k.value for k in call.keywords if k.arg == known.parameter), None)
    given = call.args[1] if given is None and len(call.args) > 1 else given
    if given is None:
        return known.sizes[known.default]
    parts = origins.of(spot.facts, given) or []
    sizes = {known.sizes.get(str(p.node.value)) if isinstance(p.node, ast.Constant) else None for p in parts}
    return sizes.pop() if len(sizes) == 1 else None
