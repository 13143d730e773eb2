"""Whether an entry that all samples of a data set have is as wide in each: made with a constant size there."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.literals import integer
from xlaport.facts.origins import Origins
from xlaport.facts.program import Facts
from xlaport.facts.spot import Spot
from xlaport.facts.structure import Structure

_MAKERS = frozenset(f"torch.{name}" for name in ("zeros", "ones", "empty", "rand", "randn"))
_KEEPING = frozenset(
    "float double half long int bool to type clone detach contiguous requires_grad_ clamp clamp_ abs sqrt exp "
    "fill_ zero_".split()
)
"""Methods whose result is as large as what they are of."""
_MAX_FILES = 24
_MAX_DEPTH = 4


def has_one_width(context: Context, longest: ast.Call) -> bool:
    """Whether the lengths that a batch takes the longest of are one constant.

    ``max(sample["map"].shape[1] for sample in batch)``, where all that the project puts there is made by
    ``torch.zeros((n, 256))``.
    """
    measured = longest.args[0] if longest.args else None
    if not isinstance(measured, ast.GeneratorExp | ast.ListComp):
        return False
    entry, dim = _measured(measured.elt)
    if not isinstance(entry, ast.Subscript) or not isinstance(entry.slice, ast.Constant) or dim is None:
        return False
    key = entry.slice.value
    stored = _stored(context, key, longest) if isinstance(key, str) else None
    widths = [_width(context.flow.structure, spot, dim, 0) for spot in stored or ()]
    found = {width for width in widths if width is not _NO_DIMENSION}
    return len(found) == 1 and None not in found


_NO_DIMENSION = 0
"""Of what has no such dimension: it is not what is measured, which would raise."""


def _measured(node: ast.expr) -> tuple[ast.expr | None, int | None]:
    """What is measured, and its dimension: of ``x.shape[1]`` and ``x.size(1)``."""
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Attribute) and node.value.attr == "shape":
        return node.value.value, integer(node.slice)
    is_size = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "size"
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and is_size and len(node.args) == 1:
        return node.func.value, integer(node.args[0])
    return None, None


def _stored(context: Context, key: str, longest: ast.Call) -> list[Spot] | None:
    """All that the project puts into dicts under a key, but for the batch itself; None where it is too much."""
    view = context.view
    word = key.encode("utf-8", "surrogatepass")
    files = [file for file in view.program.files if word in view.program.data(file)]
    if len(files) > _MAX_FILES:
        return None
    around = context.module.function(longest)
    every = [view.own, *(facts for f in files if f != view.own.file and (facts := view.facts(f)) is not None)]
    return [
        Spot(facts, value)
        for facts in every
        for value in _put(facts, key)
        if around is None or facts.module.function(value) is not around
    ]


def _put(facts: Facts, key: str) -> Iterator[ast.expr]:
    for node in facts.module.nodes:
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Subscript) and _is(target.slice, key):
                    yield node.value
        elif isinstance(node, ast.Dict):
            yield from (v for k, v in zip(node.keys, node.values, strict=True) if k is not None and _is(k, key))
        elif isinstance(node, ast.keyword) and node.arg == key:
            yield node.value


def _is(node: ast.expr, key: str) -> bool:
    return isinstance(node, ast.Constant) and node.value == key


def _width(structure: Structure, spot: Spot, dim: int, depth: int) -> int | None:
    """How large a tensor is in a dimension, where that is a constant; None where it is not known."""
    found = Origins(structure).of(spot.facts, spot.node) if depth <= _MAX_DEPTH else None
    widths = {_made(structure, origin, dim, depth + 1) for origin in found or ()}
    return widths.pop() if len(widths) == 1 else None


def _made(structure: Structure, spot: Spot, dim: int, depth: int) -> int | None:
    node = spot.node
    if isinstance(node, ast.BinOp):
        # What is joined element by element has this width, too, or has one element there.
        sides = (_width(structure, Spot(spot.facts, side), dim, depth) for side in (node.left, node.right))
        return next((width for width in sides if width is not None and width > 1), None)
    if not isinstance(node, ast.Call):
        return None
    if spot.facts.names.resolve(node.func) in _MAKERS:
        return _of_size(structure, spot.facts, node, dim)
    if isinstance(node.func, ast.Attribute) and node.func.attr in _KEEPING:
        return _width(structure, Spot(spot.facts, node.func.value), dim, depth)
    return None


def _of_size(structure: Structure, facts: Facts, call: ast.Call, dim: int) -> int | None:
    first = call.args[0] if call.args else next((k.value for k in call.keywords if k.arg == "size"), None)
    sizes = first.elts if isinstance(first, ast.Tuple | ast.List) else call.args
    if not isinstance(first, ast.Tuple | ast.List) and len(sizes) == 1 and integer(first) is None:
        return None  # it may be a tuple
    if not sizes or any(isinstance(size, ast.Starred) for size in sizes):
        return None
    if not 0 <= dim < len(sizes):
        return _NO_DIMENSION
    found = Origins(structure).of(facts, sizes[dim]) or ()
    numbers = {integer(origin.node) for origin in found}
    return numbers.pop() if len(numbers) == 1 else None
