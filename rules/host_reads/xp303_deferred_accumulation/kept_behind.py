"""Functions that add to what an object keeps on the device, behind the barrier, and show it now and then.

The barrier belongs behind what they add, and before what they read there: ``logger.push(metrics)``.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from xlaport.context import Context
from xlaport.facts.loops import StepLoop
from xlaport.facts.module import FunctionNode, walk_block
from xlaport.facts.roles import Role
from xlaport.facts.steps import LateRead
from xlaport.facts.structure import Function

from .late_work import LEAVING


@dataclass(frozen=True)
class KeptBehind:
    """A barrier, the call behind it of a function that adds on the device, and what of that has to come behind it."""

    barrier: ast.Expr
    call: ast.Call
    name: str
    reads: ast.stmt | None
    """The first statement of the function that reads."""


def kept_behind(context: Context, loop: StepLoop) -> KeptBehind | None:
    """Such a call in the block of a loop's barrier, if nothing before it reads."""
    barrier, stepping = loop.barriers[0] if len(loop.barriers) == 1 else None, context.loops.stepping
    at = context.module.parents[barrier] if barrier is not None else None
    if barrier is None or not isinstance(at, ast.Expr) or loop.node not in context.module.ancestors(at):
        return None
    if not stepping.is_barrier(barrier) or stepping.is_step(barrier):
        return None
    if any(isinstance(context.steps.late_read(early), LateRead) for early in context.steps.early_reads(loop)):
        return None  # XP302 takes these behind the barrier first
    block = context.module.block(at)
    for statement in block[block.index(at) + 1 :]:
        call = statement.value if isinstance(statement, ast.Expr) else None
        functions = context.loops.run_by(call) if isinstance(call, ast.Call) else []
        if isinstance(call, ast.Call) and len(functions) == 1 and _is_called_here(context, functions[0], call, loop):
            body = functions[0].node.body
            reads = next((s for s in body if _reads(context, [s])), None)
            before = body[: body.index(reads)] if reads is not None else body
            if _adds(context, before) and not any(isinstance(node, LEAVING) for node in walk_block(before)):
                return KeptBehind(at, call, functions[0].node.name, reads)
        if _reads(context, [statement]) or context.loops.effects([statement]).barriers:
            return None
        if any(isinstance(node, LEAVING) for node in walk_block([statement])):
            return None
    return None


def _is_called_here(context: Context, function: Function, call: ast.Call, loop: StepLoop) -> bool:
    """Whether a step's call is the only one of a function of this file, which has no barrier."""
    if function.facts is not context.view.own or not isinstance(function.node, FunctionNode):
        return False
    running = context.steps.passes.running(function.node) or []
    is_only = len(running) == 1 and running[0].call is call and running[0].loop is loop
    return is_only and not context.loops.function_effects(function.node).barriers


def _reads(context: Context, statements: list[ast.stmt]) -> bool:
    return bool(context.reads.all_in(statements)) or context.loops.calls_what_reads(statements)


def _adds(context: Context, statements: Sequence[ast.stmt]) -> bool:
    """``self.running[key] += metrics[key]``, of a tensor."""
    return any(
        isinstance(node, ast.AugAssign | ast.Assign)
        and (isinstance(node, ast.AugAssign) or isinstance(node.value, ast.BinOp))
        and context.roles.role(node.value) is Role.TENSOR
        for node in walk_block(statements)
    )
