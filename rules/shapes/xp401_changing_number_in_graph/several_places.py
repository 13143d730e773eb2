"""Several changing numbers in one index that is written to: one place of a tensor, spoken of once."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from xlaport.context import Context
from xlaport.facts.literals import integer
from xlaport.facts.role import Role
from xlaport.wording import Text

from ..._lib.series import series
from ..._lib.shapes.placed import device_of
from ..._lib.shapes.places import Place
from ..._lib.shapes.saying import say
from ..._lib.shapes.storing import stored

Group = list[Place]


def joined(context: Context, groups: Iterable[Group]) -> list[list[Group]]:
    """The groups of numbers, with those together that give one place of a tensor that is written to.

    Tensors of one element for all of them are broadcast, and leave one dimension, not one each.
    """
    found: list[list[Group]] = []
    for group in groups:
        before = found[-1][-1][0] if found else None
        if before is not None and len(group) == len(found[-1][-1]) == 1 and _give_one(context, before, group[0]):
            found[-1].append(group)
        else:
            found.append([group])
    return found


def _give_one(context: Context, one: Place, other: Place) -> bool:
    """Whether what tensors for both numbers leave stands where one for the first alone would leave it."""
    node = one.node
    if node is not other.node or not isinstance(node, ast.Subscript) or not isinstance(node.slice, ast.Tuple):
        return False
    if isinstance(node.ctx, ast.Load) or one.construct.place != "index" or other.construct.place != "index":
        return False
    elements = [e for e in node.slice.elts if integer(e) is None]
    if not all(isinstance(e, ast.Slice) or context.roles.is_(e, Role.NUMBER) for e in elements):
        return False
    # Tensors that do not stand side by side leave their dimension in front of all others.
    return one.number is elements[0] or elements.index(other.number) == elements.index(one.number) + 1


def several(context: Context, places: list[Place]) -> Text:
    """What the numbers do, and what to write, for places of one store."""
    first = places[0]
    device = device_of(context, first.tensor, first.node)
    text, whole = context.module.text, context.span(first.node)
    written, at = "", whole.start
    for place in places:
        span = context.span(place.number)
        written += f"{text[at : span.start]}torch.tensor([{ast.unparse(place.number)}], device={device})"
        at = span.end
    written = " ".join(f"{written}{text[at : whole.end]}".split())
    changes = dict.fromkeys(f"line {context.line_of(place.change.facts, place.change.node)}" for place in places)
    return say(
        "XP401.several",
        numbers=series(f"`{ast.unparse(place.number)}`" for place in places),
        lines=series(changes),
        recipe=stored(context, first, written),
    )
