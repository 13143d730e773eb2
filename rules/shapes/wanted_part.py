"""What is used of a result that is as large as the data says: how many there are, or a part of a fixed shape."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from xlaport.context import Context
from xlaport.facts.change import Cause, Change
from xlaport.facts.derived import Derived
from xlaport.facts.literals import integer
from xlaport.facts.role import TENSORS

from .places import places
from .true_places import Places, Use, uses_of

_COUNTING = frozenset({"numel", "nelement", "size", "shape"})
_EXTRAS = {"return_inverse": "inverse", "return_counts": "counts"}
"""The arguments of `unique` that ask for one more tensor, in the order in which it gives them."""


@dataclass(frozen=True)
class Wanted:
    """The parts that are used in a form that no size of the data is in."""

    counts: tuple[ast.expr, ...] = ()
    """Where it is asked how many there are: `len(…)`, ``x.shape``."""
    inverse: bool = False
    """Whether the inverse is used, which has the shape of what is searched."""
    of_slices: bool = False
    """Whether whole rows, or columns, are compared: the inverse has one place for each of them then."""

    def reaches_a_size(self, context: Context) -> bool:
        """Whether the number that is asked for becomes a part of the graph itself: ``torch.zeros(len(kinds))``."""
        return any(_is_baked(context, count) for count in self.counts)


def wanted_of_places(context: Context, listed: Places) -> Wanted | None:
    """The same of places that a mask lists."""
    uses = uses_of(context, listed)
    if {used.how for used in uses} == {Use.COUNTED}:
        return Wanted(tuple(used.node for used in uses if isinstance(used.node, ast.expr)))
    count = _count(context, listed.call)
    return Wanted((count,)) if count is not None and not listed.is_tuple else None


def wanted(context: Context, call: ast.Call, given: dict[str, ast.expr]) -> Wanted | None:
    """What is used of the result of a call, directly or by names; None where its elements are, or may be.

    `given`: what the call passes, by the names of the parameters.
    """
    parts = _parts(given)
    if parts is None:
        return None
    counts: list[ast.expr] = []
    inverse = False
    for part, use in _uses(context, call, parts):
        if part == "inverse":
            inverse = True
            continue
        count = _count(context, use) if part is not None else None
        if count is None:
            return None
        counts.append(count)
    return Wanted(tuple(counts), inverse, "dim" in given) if counts or inverse else None


def uses_inverse(context: Context, call: ast.Call, given: dict[str, ast.expr]) -> bool:
    """Whether what is computed for each different value goes back, by the inverse, to all places that have it."""
    return any(part == "inverse" for part, _ in _uses(context, call, _parts(given) or []))


def _parts(given: dict[str, ast.expr]) -> list[str] | None:
    """What `unique` gives, in its order; None where that is not plain to see."""
    parts = ["values"]
    for extra, more in _EXTRAS.items():
        asked = given.get(extra)
        if asked is not None and not isinstance(asked, ast.Constant):
            return None
        parts += [more] if asked is not None and asked.value else []
    return parts


def _uses(context: Context, call: ast.Call, parts: list[str]) -> Iterator[tuple[str | None, ast.expr]]:
    """The uses of each part; of None where it is not plain which part is used."""
    parent = context.module.parents[call]
    if len(parts) == 1:
        if isinstance(parent, ast.Assign):
            yield from _of_target(context, parent, parts[0], call)
        else:
            yield parts[0], call
        return
    if isinstance(parent, ast.Subscript) and parent.value is call:
        place = integer(parent.slice)
        part = parts[place] if place is not None and -len(parts) <= place < len(parts) else None
        outer = context.module.parents[parent]
        if isinstance(outer, ast.Assign):
            yield from _of_target(context, outer, part, parent)
        else:
            yield part, parent
        return
    target = parent.targets[0] if isinstance(parent, ast.Assign) and len(parent.targets) == 1 else None
    if not isinstance(target, ast.Tuple) or len(target.elts) != len(parts):
        yield None, call
        return
    for part, element in zip(parts, target.elts, strict=True):
        yield from _of_name(context, part, element)


def _of_target(
    context: Context, statement: ast.Assign, part: str | None, value: ast.expr
) -> Iterator[tuple[str | None, ast.expr]]:
    if len(statement.targets) != 1 or statement.value is not value:
        yield None, value
        return
    yield from _of_name(context, part, statement.targets[0])


def _of_name(context: Context, part: str | None, target: ast.expr) -> Iterator[tuple[str | None, ast.expr]]:
    if not isinstance(target, ast.Name):
        # What an attribute keeps is used by whoever asks for it: of the inverse, that is no matter.
        yield part if part == "inverse" else None, target
        return
    for use in context.names.uses_of(target):
        yield part, use


def _count(context: Context, node: ast.expr) -> ast.expr | None:
    """``x.numel()``, ``x.shape``, ``len(x)``, for x: nothing else is computed of it."""
    parent = context.module.parents[node]
    if isinstance(parent, ast.Attribute) and parent.attr in _COUNTING:
        outer = context.module.parents[parent]
        return outer if isinstance(outer, ast.Call) and outer.func is parent else parent
    return parent if isinstance(parent, ast.Call) and context.resolve(parent.func) == "builtins.len" else None


class _Of:
    """The numbers that are computed from a count."""

    def __init__(self, context: Context, count: ast.expr) -> None:
        self._context = context
        self._derived = Derived(context.view.own, count)
        self._change = Change(ast.unparse(count), Cause.READ, context.view.own, count)

    def of(self, node: ast.expr) -> Change | None:
        """Why an expression is another number."""
        if self._context.roles.role(node) in TENSORS or not self._derived.has(node):
            return None
        return self._change

    def bound(self, node: ast.expr) -> Change | None:
        """The same for the bound of a slice."""
        return self.of(node)


def _is_baked(context: Context, count: ast.expr) -> bool:
    function = context.module.function(count)
    nodes: Iterable[ast.AST] = ast.walk(function) if function is not None else context.module.nodes
    return any(any(places(context, node, _Of(context, count))) for node in nodes)
