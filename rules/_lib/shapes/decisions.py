"""Decisions: branches, assertions and numbers of passes that a step takes by a value of the device."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from xlaport.context import Context
from xlaport.facts.endings import ended_loop
from xlaport.facts.frequency import is_last_otherwise, is_passed_over, varies
from xlaport.facts.reads import HostRead
from xlaport.facts.role import OF_FORWARD, OUTPUT
from xlaport.facts.roles import Role
from xlaport.facts.step_nodes import StepBody

Deciding = ast.If | ast.IfExp | ast.Assert | ast.For


@dataclass(frozen=True)
class Decision:
    """One place that decides. `asked` is the expression that it decides by."""

    node: Deciding
    asked: ast.expr
    read: HostRead
    body: StepBody


def decisions(context: Context) -> dict[ast.AST, Decision]:
    """The decisions in the steps of a file, by each expression that reads for them."""
    return context.view.own.once(("decisions", context.loops.runtime), lambda: _found(context))


def _found(context: Context) -> dict[ast.AST, Decision]:
    found: dict[ast.AST, Decision] = {}
    for body in context.step_code.bodies:
        found.update((node, each) for each, nodes in _in_body(context, body) for node in nodes)
    for body in context.step_code.others:
        of_function = [(node, each) for each, nodes in _in_body(context, body) for node in nodes]
        # Whether a step runs it takes the whole project to say: that is asked where it matters only.
        if of_function and body.function is not None and context.step_code.runs_in_steps(body.function):
            found.update(of_function)
    return found


def _in_body(context: Context, body: StepBody) -> Iterator[tuple[Decision, list[ast.AST]]]:
    for node in context.step_code.of_type(body, ast.If, ast.IfExp, ast.Assert, ast.For):
        if not isinstance(node, Deciding):
            continue
        asked = node.iter if isinstance(node, ast.For) else node.test
        if isinstance(node, ast.For):
            is_range = isinstance(asked, ast.Call) and context.resolve(asked.func) == "builtins.range"
            reads = context.reads.of_expression(asked) if is_range else []
        else:
            reads = context.reads.in_condition(node)
        reads = [
            r
            for r in reads
            if r.proven
            and _is_shown(context, r.tensor)
            and not _is_asked_seldom(context, r, node)
            and not _is_compared_with_none(context, r)
        ]
        if reads and ended_loop(context.module, reads[0].node) is None and _is_usual(context, node, body):
            yield Decision(node, asked, reads[0], body), [read.node for read in reads]


_OF_TENSORS = frozenset(
    "any all sum max min amax amin mean norm abs isnan isinf isfinite eq ne lt gt le ge equal allclose is_nonzero item "
    "argmax argmin count_nonzero nonzero".split()
)
"""Methods that only tensors have; or arrays, which nobody gives to a model."""
_ACCELERATOR = re.compile(r"(?<![a-z])(xla|tpu)(?![a-z])", re.IGNORECASE)


def _is_shown(context: Context, node: ast.expr) -> bool:
    """Whether more than its place among the arguments of a ``forward()`` says that something is a tensor."""
    if isinstance(node, ast.Compare):
        sides = [node.left, *node.comparators]
        is_text = any(isinstance(side, ast.Constant) and isinstance(side.value, str) for side in sides)
        return not is_text and any(_is_shown(context, side) for side in sides)
    if isinstance(node, ast.BinOp):
        return _is_shown(context, node.left) or _is_shown(context, node.right)
    if any(isinstance(part, ast.Attribute) and part.attr in _OF_TENSORS for part in ast.walk(node)):
        return True
    if isinstance(node, ast.Call) and any(isinstance(a, ast.Constant) and isinstance(a.value, str) for a in node.args):
        return False  # of something that has names: `instances.has("scores")`
    fact = context.roles.of(node)
    if fact is None or fact.role is not Role.TENSOR:
        return False
    if fact.because == OUTPUT and isinstance(node, ast.Name):
        # The first thing that a model gives is its loss or its scores; the others may be numbers for a log.
        return not any(binding.index for binding in context.names.reaching(node))
    part = context.names.assigned(node) or node
    is_of_one = isinstance(part, ast.Subscript) and context.singles.is_one(context.view.own, part.value) is True
    return is_of_one or not fact.because.endswith(OF_FORWARD)


def _is_compared_with_none(context: Context, read: HostRead) -> bool:
    """``loss.item() is None``, which never holds: nothing depends on the value."""
    asked = context.module.parents[read.node]
    return isinstance(asked, ast.Compare) and any(isinstance(op, ast.Is | ast.IsNot) for op in asked.ops)


def _is_asked_seldom(context: Context, read: HostRead, node: Deciding) -> bool:
    """``if step % 100 == 0 and loss.isnan():``, and ``if is_tpu or mask.any():``, which knows of TPUs."""
    child: ast.AST = read.node
    for parent in context.module.ancestors(read.node):
        if is_passed_over(parent, child):
            return True
        if parent is node:
            return False
        if isinstance(parent, ast.BoolOp):
            before = parent.values[: next(i for i, value in enumerate(parent.values) if value is child)]
            if any(_ACCELERATOR.search(ast.unparse(value)) for value in before):
                return True
        child = parent
    return False


def _is_usual(context: Context, node: Deciding, body: StepBody) -> bool:
    """Whether a place runs in each step: under no condition that changes from step to step."""
    if context.step_code.is_now_and_then(node, but_training=True):
        return False
    around = body.function or (body.loop.node if body.loop is not None else None)
    child: ast.AST = node
    for parent in context.module.ancestors(node):
        if parent is around or around is None:
            return True
        if isinstance(parent, ast.ExceptHandler):
            return False
        if isinstance(parent, ast.If) and child is not parent.test and not is_last_otherwise(parent, child):
            if varies(parent.test, around):
                return False
        child = parent
    return True
