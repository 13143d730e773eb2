"""Sums on the device that are added to behind the barrier."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from xlaport.context import Context
from xlaport.facts import known
from xlaport.facts.between import Moved
from xlaport.facts.loops import StepLoop
from xlaport.facts.module import walk_block
from xlaport.facts.roles import Role
from xlaport.facts.stateless import draws
from xlaport.facts.steps import LateRead

from ..._lib.host_reads.fillings import Form, filled
from ..._lib.host_reads.meters import held
from ..._lib.host_reads.refused import Refused


@dataclass(frozen=True)
class LateWork:
    """``total += loss.detach()`` behind the barrier of its block, which could as well stand before it."""

    statement: ast.stmt
    target: ast.Name
    barrier: ast.stmt


@dataclass(frozen=True)
class EarlyBarrier:
    """A barrier with no read directly behind it, but additions on the device: its place is behind `last`."""

    barrier: ast.stmt
    last: ast.stmt
    target: ast.Name


LEAVING = (ast.Continue, ast.Break, ast.Return, ast.Raise, ast.AsyncFor, ast.While, ast.Try, ast.Yield)


def early_barrier(context: Context, loop: StepLoop, barrier: ast.Call) -> EarlyBarrier | None:
    """The barrier, if what would become a part of the next step's graph follows it, and no read in between."""
    at = context.module.parents[barrier]
    if not isinstance(at, ast.Expr) or not any(parent is loop.node for parent in context.module.ancestors(at)):
        return None
    if any(isinstance(context.steps.late_read(early), LateRead) for early in context.steps.early_reads(loop)):
        return None  # XP302 takes these behind the barrier first
    block = context.module.block(at)
    found: EarlyBarrier | None = None
    for statement in block[block.index(at) + 1 :]:
        inside = list(walk_block([statement]))
        if any(isinstance(node, LEAVING) for node in inside) or context.reads.within([statement]):
            break
        if context.loops.effects([statement]).barriers:
            return None  # which runs what stands before it
        if context.loops.calls_what_reads([statement]):
            break
        target = _added(context, statement)
        if target is not None:
            found = EarlyBarrier(at, statement, target)
    return found


def _added(context: Context, statement: ast.stmt) -> ast.Name | None:
    """What a statement adds to on the device, in each of its branches if it is an ``if``."""
    if isinstance(statement, ast.If | ast.For):
        inner = [_added(context, s) for s in [*statement.body, *statement.orelse]]
        return inner[0] if None not in inner else None
    if isinstance(statement, ast.AugAssign) and isinstance(statement.target, ast.Name):
        if context.roles.role(statement.target) is Role.TENSOR and not isinstance(statement.op, ast.Add):
            return statement.target
    found = filled(statement) or _given_to_meter(context, statement) or _computed(statement)
    target, value, form = found or (None, None, None)
    if target is None or value is None or (context.roles.role(value) is not Role.TENSOR and not _is_detach(value)):
        return None
    if form is Form.ARRAY and context.roles.role(target) is not Role.TENSOR:
        return None  # what is written into an array of the host is read
    if form is Form.SUM and isinstance(statement, ast.AugAssign):
        return target if context.roles.role(target) in (Role.TENSOR, None) else None
    # Keeping a tensor is no work.
    works = any(isinstance(node, ast.Call | ast.BinOp) and not _is_detach(node) for node in ast.walk(value))
    return target if works or form not in (Form.LIST, Form.LISTS) else None


def _computed(statement: ast.stmt) -> tuple[ast.Name, ast.expr, Form] | None:
    """``smooth = 0.9 * smooth + 0.1 * value``."""
    target = statement.targets[0] if isinstance(statement, ast.Assign) and len(statement.targets) == 1 else None
    if not isinstance(statement, ast.Assign) or not isinstance(target, ast.Name):
        return None
    works = any(isinstance(node, ast.BinOp) or _is_call_of(node, "clamp") for node in ast.walk(statement.value))
    return (target, statement.value, Form.SUM) if works else None


def _is_detach(node: ast.AST) -> bool:
    return _is_call_of(node, "detach")


def _is_call_of(node: ast.AST, method: str) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == method


def late_work(context: Context, loop: StepLoop) -> Iterator[LateWork]:
    """The additions on the device that would become a part of the next step's graph, where nothing keeps them."""
    for barrier in loop.barriers:
        if early_barrier(context, loop, barrier) is not None:
            continue
        at = context.module.parents[barrier]
        if not isinstance(at, ast.Expr) or not any(parent is loop.node for parent in context.module.ancestors(at)):
            continue
        block = context.module.block(at)
        first = block.index(at)
        moved: list[ast.stmt] = []
        for statement in block[first + 1 :]:
            target = _added(context, statement)
            if target is None or not _only_adds(context, statement):
                continue
            passed = [s for s in block[first : block.index(statement)] if s not in moved]
            if context.steps.between.obstacle(_moved(statement, target), passed) is None:
                moved.append(statement)
                yield LateWork(statement, target, at)


def _given_to_meter(context: Context, statement: ast.stmt) -> tuple[ast.Name, ast.expr, Form] | None:
    """``losses.update(x, n)`` of an object of a class that keeps what it gets, and does nothing but arithmetic."""
    call = statement.value if isinstance(statement, ast.Expr) else None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
        return None
    target, structure, own = call.func.value, context.flow.structure, context.view.own
    tensors = [argument for argument in call.args if context.roles.role(argument) is Role.TENSOR]
    owner, function = structure.instance_of(own, target), structure.run_by(own, call)
    if not isinstance(target, ast.Name) or len(tensors) != 1 or owner is None or function is None:
        return None
    parameter = structure.parameter_of(call, function, tensors[0])
    try:
        is_kept = parameter is not None and bool(held(context, owner, function, parameter).attributes)
    except Refused:
        return None
    return (target, tensors[0], Form.METER) if is_kept else None


def _only_adds(context: Context, statement: ast.stmt) -> bool:
    """Whether a statement adds to the graph, and does nothing else."""
    if isinstance(statement, ast.AugAssign) and context.roles.role(statement.target) is not Role.TENSOR:
        return False
    own = statement.value if isinstance(statement, ast.Expr) else None
    calls = [node for node in ast.walk(statement) if isinstance(node, ast.Call) and node is not own]
    is_plain = isinstance(statement, ast.Assign | ast.AugAssign | ast.Expr)
    return is_plain and not context.reads.within([statement]) and all(_is_known(context, call) for call in calls)


def _is_known(context: Context, call: ast.Call) -> bool:
    """A tensor's method, what torch computes of tensors, or a number."""
    if isinstance(call.func, ast.Attribute) and context.roles.role(call.func.value) is Role.TENSOR:
        return True
    name = context.resolve(call.func) or ""
    if known.computes_tensor(name) and not draws(name):
        return True
    return context.roles.role(call) is Role.NUMBER and name.startswith("builtins.")


def _moved(statement: ast.stmt, target: ast.Name) -> Moved:
    names = tuple(node for node in ast.walk(statement) if isinstance(node, ast.Name))
    if isinstance(statement, ast.Expr):
        return Moved(statement, (), names, frozenset(), (target,), prints=False)
    return Moved(statement, (), names, frozenset([target.id]), (), prints=False)
