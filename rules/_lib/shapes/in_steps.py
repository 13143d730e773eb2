"""What runs in each step: the place to look for what makes a step slow."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

from xlaport.context import Context
from xlaport.facts.step_nodes import StepBody

from .kernels import launches_kernel

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
