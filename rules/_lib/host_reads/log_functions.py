"""Functions that every pass of a step loop runs, and that close the step themselves: what they log can be closures."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from xlaport.context import Context
from xlaport.facts import vocabulary as torch_api
from xlaport.facts.loops import LoopKind
from xlaport.facts.module import FunctionNode, walk_block


@dataclass(frozen=True)
class StepFunction:
    """A function with a barrier of its own, which runs the closures of each call."""

    node: FunctionNode
    barriers: tuple[ast.Call, ...]
    cut_by_loader: bool = False


def step_functions(context: Context, kinds: Collection[LoopKind]) -> Iterator[StepFunction]:
    """Those of a file for step loops of some kinds, also of other files."""
    found: dict[FunctionNode, None] = {}
    for loop in context.loops.all():
        if loop.kind in kinds:
            found.update(dict.fromkeys(context.steps.passes.helpers(loop)))
    elsewhere = context.steps.passes.from_elsewhere()
    found.update((function, None) for function, run in elsewhere if run.every and run.loop.kind in kinds)
    for function in found:
        barriers = context.loops.effects(function.body).barriers
        if barriers and _is_plain(context, function):
            yield StepFunction(function, barriers)


def _is_plain(context: Context, function: FunctionNode) -> bool:
    """Whether a function runs as it is written, and hands back no tensor that its caller could change meanwhile."""
    if isinstance(function, ast.AsyncFunctionDef) or context.loops.holds_step_loop(function):
        return False
    for decorator in function.decorator_list:
        called = decorator.func if isinstance(decorator, ast.Call) else decorator
        if context.resolve(called) not in torch_api.GRAD_OFF:
            return False  # torch.compile, for one
    for node in walk_block(function.body):
        if isinstance(node, ast.Yield | ast.YieldFrom | ast.Nonlocal):
            return False
        if isinstance(node, ast.Return) and not isinstance(node.value, ast.Constant | None):
            return False
    return True
