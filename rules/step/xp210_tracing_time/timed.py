"""Spans of code that are timed: ``start = time.time()`` … ``time.time() - start``."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from xlaport.context import Context
from xlaport.facts.loops import LOOPS
from xlaport.facts.module import FunctionNode, LoopNode
from xlaport.facts.names import How
from xlaport.facts.running import going_on
from xlaport.facts.structure import Function
from xlaport.facts.vocabulary import CLOCKS

_CLOCKS = CLOCKS | {"datetime.datetime.now"}


@dataclass(frozen=True)
class Timed:
    """What runs between two looks at the clock."""

    difference: ast.BinOp
    start: ast.stmt
    end: ast.stmt
    """The statement that looks at the clock for the second time."""
    span: tuple[ast.stmt, ...]
    rolling: LoopNode | None
    """The loop, where the clock was started by its last pass."""


def timed_spans(context: Context) -> Iterator[Timed]:
    """The timed spans of a file, each of them in one function."""
    for node in context.module.of_type(ast.BinOp):
        if not (isinstance(node.op, ast.Sub) and isinstance(node.right, ast.Name)):
            continue
        if isinstance(context.module.parents[node], ast.Compare):
            continue  # a limit of time, not a measurement
        end = _clock_statement(context, node.left)
        starts = _starts(context, node.right)
        if end is None or not starts:
            continue
        found = _between(context, node, starts, end)
        if found is not None:
            yield found


@dataclass(frozen=True)
class TimedBlock:
    """A ``with`` whose context looks at the clock where it is entered, and where it is left."""

    block: ast.With | ast.AsyncWith
    timer: ast.expr
    functions: tuple[Function, ...]
    """What enters and leaves it."""


def timed_blocks(context: Context) -> Iterator[TimedBlock]:
    """The blocks of a file that are timed by what they stand under: ``with Timer():``."""
    for block in context.module.of_type(ast.With, ast.AsyncWith):
        for item in block.items:
            functions = going_on(context.flow.structure, context.view.own, item.context_expr)
            if any(_takes_time(context.of(function.facts), function.node) for function in functions):
                yield TimedBlock(block, item.context_expr, tuple(functions))


def _takes_time(context: Context, function: FunctionNode) -> bool:
    """Whether a function takes the time since a clock was looked at: by another method, or before its ``yield``."""
    return any(
        isinstance(node.op, ast.Sub)
        and _clock_statement(context, node.left) is not None
        and (_is_kept_clock(context, node.right) or (isinstance(node.right, ast.Name) and _yields(context, node)))
        for node in context.module.that_run(function.body, ast.BinOp)
    )


def _is_kept_clock(context: Context, node: ast.expr) -> bool:
    """``self.begin`` of an object, where all that it is given is the time."""
    if not isinstance(node, ast.Attribute):
        return False
    structure, own = context.flow.structure, context.view.own
    owners = [base for owner in structure.instances_of(own, node.value) for base in structure.bases(owner)]
    given = structure.assigned(owners, node.attr)
    clocks = [value for facts, value in given if _is_clock(context.of(facts), value)]
    others = [value for _, value in given if value not in clocks and not isinstance(value, ast.Constant)]
    return bool(clocks) and not others


def _yields(context: Context, difference: ast.BinOp) -> bool:
    """Whether a function yields between its two looks at the clock."""
    end = _clock_statement(context, difference.left)
    starts = _starts(context, difference.right) if isinstance(difference.right, ast.Name) else []
    found = _between(context, difference, starts, end) if end is not None and starts else None
    return found is not None and bool(context.module.that_run(found.span, ast.Yield))


def _clock_statement(context: Context, node: ast.expr) -> ast.stmt | None:
    """The statement in which a value was taken from the clock."""
    if _is_clock(context, node):
        return context.module.statement(node)
    if not isinstance(node, ast.Name):
        return None
    found = context.names.reaching(node)
    if len(found) != 1 or found[0].how is not How.ASSIGN or not _is_clock(context, found[0].value):
        return None
    return context.module.statement(found[0].node)


def _starts(context: Context, name: ast.Name) -> list[ast.stmt]:
    """The statements that started the clock; none where one of them did something else."""
    found: list[ast.stmt] = []
    for binding in context.names.reaching(name):
        if binding.how is not How.ASSIGN:
            return []
        value = binding.value
        if isinstance(value, ast.Name):  # t0 = t1
            if _clock_statement(context, value) is None:
                return []
        elif not _is_clock(context, value):
            return []
        found.append(context.module.statement(binding.node))
    return found


def _is_clock(context: Context, node: ast.expr | None) -> bool:
    return isinstance(node, ast.Call) and context.resolve(node.func) in _CLOCKS


def _between(context: Context, node: ast.BinOp, starts: list[ast.stmt], end: ast.stmt) -> Timed | None:
    module = context.module
    if any(module.function(start) is not module.function(end) for start in starts):
        return None
    loop = next((p for p in module.ancestors(end) if isinstance(p, LOOPS)), None)
    inside = [start for start in starts if loop is not None and loop in module.ancestors(start)]
    if loop is not None and len(inside) == 1 and (inside[0].lineno > end.lineno or inside[0] is end):
        first, last = _index(context, loop.body, inside[0]), _index(context, loop.body, end)
        if first is None or last is None:
            return None
        head = [*loop.body[:last], *_ahead(context, loop.body[last], end)]
        tail = [*_behind(context, loop.body[first], inside[0]), *loop.body[first + 1 :]]
        return Timed(node, inside[0], end, (*tail, *head), loop)
    if len(starts) != 1 or starts[0].lineno >= end.lineno:
        return None
    block = module.block(starts[0])
    at = _index(context, block, end)
    if at is None or at <= block.index(starts[0]):
        return None
    if any(isinstance(p, LOOPS) for p in _path(context, block[at], end)):
        return None  # the time so far, shown by a loop on its way
    span = [*block[block.index(starts[0]) + 1 : at], *_ahead(context, block[at], end)]
    return Timed(node, starts[0], end, tuple(span), None)


def _index(context: Context, block: list[ast.stmt], node: ast.stmt) -> int | None:
    """The statement of a block that a node is, or is in."""
    around = set(context.module.ancestors(node))
    return next((i for i, s in enumerate(block) if s is node or s in around), None)


def _path(context: Context, top: ast.stmt, node: ast.stmt) -> list[ast.AST]:
    """The statements from `top` to a node in it, without the node."""
    found: list[ast.AST] = []
    for parent in context.module.ancestors(node):
        if node is top:
            break
        found.append(parent)
        if parent is top:
            break
    return found


def _ahead(context: Context, top: ast.stmt, node: ast.stmt) -> list[ast.stmt]:
    """The statements in `top` that run before a node in it."""
    found: list[ast.stmt] = []
    while node is not top:
        block = context.module.block(node)
        found = [*block[: block.index(node)], *found]
        node = context.module.statement(context.module.parents[node])
    return found


def _behind(context: Context, top: ast.stmt, node: ast.stmt) -> list[ast.stmt]:
    """The statements in `top` that run behind a node in it."""
    found: list[ast.stmt] = []
    while node is not top:
        block = context.module.block(node)
        found = [*found, *block[block.index(node) + 1 :]]
        node = context.module.statement(context.module.parents[node])
    return found
