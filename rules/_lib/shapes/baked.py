"""The changing numbers of a file's steps that are baked into the graph, statement by statement."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.step_nodes import StepBody

from .places import PLACES, Numbers, Place, places


def baked(context: Context, body: StepBody, numbers: Numbers | None = None) -> Iterator[list[Place]]:
    """The places at which a statement bakes in one number, for each statement and number of every step."""
    found: dict[tuple[ast.stmt, str], list[Place]] = {}
    for node in context.step_code.of_type(body, *PLACES):
        for place in places(context, node, numbers or context.changing):
            found.setdefault((context.module.statement(node), place.change.name), []).append(place)
    for group in found.values():
        if not context.step_code.is_now_and_then(group[0].node, but_training=True):
            yield group
