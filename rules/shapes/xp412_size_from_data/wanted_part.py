"""Whether the inverse of `unique()` is used: a tensor of a fixed shape."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.literals import integer

_EXTRAS = {"return_inverse": "inverse", "return_counts": "counts"}
"""The arguments of `unique` that ask for one more tensor, in the order in which it gives them."""


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
