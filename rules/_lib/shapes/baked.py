"""The changing numbers of a file's steps that are baked into the graph, statement by statement."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import TypeVar

from xlaport.context import Context
from xlaport.facts.step_code import StepBody

from .kernels import launches_kernel
from .places import PLACES, Numbers, Place, places

T = TypeVar("T")


def in_steps(context: Context, find: Callable[[Context, StepBody], Iterator[T]]) -> Iterator[T]:
    """What is found in what the steps of a file run, and in its functions that a step of another file runs."""
    code = context.step_code
    for body in (*code.bodies, *code.lambdas):
        if not launches_kernel(context, body.function):
            yield from find(context, body)
    for body in code.others:
        # Whether a step runs it takes the whole project to say: that is asked where it matters only.
        found = list(find(context, body)) if not launches_kernel(context, body.function) else []
        if found and body.function is not None and code.runs_in_steps(body.function):
            yield from found


def baked(context: Context, body: StepBody, numbers: Numbers | None = None) -> Iterator[list[Place]]:
    """The places at which a statement bakes in one number, for each statement and number of every step."""
    found: dict[tuple[ast.stmt, str], list[Place]] = {}
    for node in context.step_code.of_type(body, *PLACES):
        for place in places(context, node, numbers or context.changing):
            found.setdefault((context.module.statement(node), place.change.name), []).append(place)
    for group in found.values():
        if not context.step_code.is_now_and_then(group[0].node, but_training=True):
            yield group
