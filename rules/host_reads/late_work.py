"""Sums on the device that are added to behind the barrier."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from xlaport.context import Context
from xlaport.facts.between import Between, Moved
from xlaport.facts.freshness import Freshness
from xlaport.facts.loops import StepLoop
from xlaport.facts.module import walk_block
from xlaport.facts.roles import Role


@dataclass(frozen=True)
class LateWork:
    """``total += loss.detach()`` behind the barrier of its block, which could as well stand before it."""

    statement: ast.AugAssign
    barrier: ast.stmt


def late_work(context: Context, loop: StepLoop) -> Iterator[LateWork]:
    """The additions on the device that would become a part of the next step's graph, where nothing keeps them."""
    between = Between(context.module, context.names, context.roles, _freshness(context))
    for barrier in loop.barriers:
        at = context.module.parents[barrier]
        if not isinstance(at, ast.Expr) or not any(parent is loop.node for parent in context.module.ancestors(at)):
            continue
        block = context.module.block(at)
        first = block.index(at)
        moved: list[ast.stmt] = []
        for statement in block[first + 1 :]:
            if isinstance(statement, ast.AugAssign) and _adds_on_device(context, statement):
                passed = [s for s in block[first : block.index(statement)] if s not in moved]
                if between.obstacle(_moved(statement), passed) is None:
                    moved.append(statement)
                    yield LateWork(statement, at)


def _freshness(context: Context) -> Freshness:
    return Freshness(context.module, context.names, context.roles)


def _adds_on_device(context: Context, statement: ast.AugAssign) -> bool:
    """Whether a statement adds tensors, and does nothing else."""
    if not isinstance(statement.target, ast.Name) or not isinstance(statement.op, ast.Add):
        return False
    if context.roles.role(statement.target) is not Role.TENSOR or context.reads.within([statement]):
        return False
    calls = (node for node in walk_block([statement]) if isinstance(node, ast.Call))
    return context.roles.role(statement.value) is Role.TENSOR and all(
        isinstance(call.func, ast.Attribute) and context.roles.role(call.func.value) is Role.TENSOR for call in calls
    )


def _moved(statement: ast.AugAssign) -> Moved:
    assert isinstance(statement.target, ast.Name)
    names = tuple(node for node in ast.walk(statement) if isinstance(node, ast.Name))
    return Moved(statement, (), names, frozenset([statement.target.id]), (), prints=False)
