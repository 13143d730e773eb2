"""The changing numbers of a file's steps that are baked into the graph, statement by statement."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import TypeVar

from xlaport.context import Context
from xlaport.facts.change import Cause, Change
from xlaport.facts.step_code import StepBody

from .kernels import launches_kernel
from .places import PLACES, Numbers, Place, places

T = TypeVar("T")
COST = "another graph to compile, which takes from seconds to minutes on a TPU"


def in_steps(context: Context, find: Callable[[Context, StepBody], Iterator[T]]) -> Iterator[T]:
    """What is found in what the steps of a file run, and in its functions that a step of another file runs."""
    for body in context.step_code.bodies:
        if not launches_kernel(context, body.function):
            yield from find(context, body)
    for body in context.step_code.others:
        # Whether a step runs it takes the whole project to say: that is asked where it matters only.
        found = list(find(context, body)) if not launches_kernel(context, body.function) else []
        if found and body.function is not None and context.step_code.runs_in_steps(body.function):
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


def why(context: Context, change: Change, number: str) -> str:
    """Why a number changes from step to step, as a clause."""
    name = "it" if change.name == number else change.name
    line = context.line_of(change.facts, change.node)
    if change.cause is Cause.COUNTS:
        return f"{name} counts the passes of the loop in line {line}"
    if change.cause is Cause.ADVANCES:
        return f"{name} is {_counted(change.node)} in line {line}"
    if change.cause is Cause.READ:
        return f"{name} is read from the device in line {line}, for which the host waits"
    return f"{name} is drawn anew in every step, in line {line}"


def _counted(statement: ast.AST) -> str:
    """How a statement makes a number another one."""
    operators = [n.op for n in ast.walk(statement) if isinstance(n, ast.BinOp)]
    if isinstance(statement, ast.AugAssign):
        operators = [statement.op]
    if operators and not any(isinstance(op, ast.Add) for op in operators):
        return "counted down" if any(isinstance(op, ast.Sub) for op in operators) else "changed"
    return "counted up"


def what(context: Context, group: list[Place]) -> str:
    """What the places of one number do, as the begin of a message."""
    first, *others = group
    number = ast.unparse(first.number)
    more = f" (and at {len(others)} more in this statement)" if others else ""
    tensor = first.tensor
    if tensor is not None and not first.is_sure(context):
        more += f", unless {' '.join(context.module.segment(tensor).split())} is a list, which the host indexes"
    return (
        f"{number} becomes a part of the graph here{more}, and {why(context, first.change, number)}: "
        f"each new value is {COST}"
    )
