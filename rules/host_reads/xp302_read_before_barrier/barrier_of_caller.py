"""Barriers of a step loop that belong into a function which it calls: before what is read there."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from xlaport.context import Context
from xlaport.facts.loops import StepLoop
from xlaport.facts.module import FunctionNode, walk_block
from xlaport.facts.reads import HostRead
from xlaport.facts.steps import Cut, Side


@dataclass(frozen=True)
class BarrierOfCaller:
    """A barrier directly behind the call of a function that reads before it, and the places for it in there."""

    barrier: ast.Expr
    function: FunctionNode
    cuts: tuple[Cut, ...]
    read: HostRead


def barriers_of_callers(context: Context) -> Iterator[BarrierOfCaller]:
    """Such barriers of the step loops of a file."""
    for loop in context.loops.all():
        for barrier in loop.barriers:
            found = _of(context, loop, barrier)
            if found is not None:
                yield found


def _of(context: Context, loop: StepLoop, barrier: ast.Call) -> BarrierOfCaller | None:
    at = context.module.parents[barrier]
    body = loop.node.body
    index = next((i for i, statement in enumerate(body) if statement is at), 0)
    if not isinstance(at, ast.Expr) or not index or len(loop.barriers) > 1:
        return None
    cuts = context.steps.cuts(loop)
    functions = list(dict.fromkeys(context.module.function(cut.statement) for cut in cuts))
    function = functions[0] if len(functions) == 1 else None
    if function is None or any(cut.side is Side.ELSEWHERE for cut in cuts):
        return None
    calls = [node for node in walk_block([body[index - 1]]) if isinstance(node, ast.Call)]
    running = context.steps.passes.running(function) or []
    if len(running) != 1 or not running[0].every or running[0].loop is not loop or running[0].call not in calls:
        return None
    reads = context.reads.within(function.body)
    if not reads or context.loops.function_effects(function).barriers:
        return None
    return BarrierOfCaller(at, function, tuple(cuts), reads[0])
