"""Spans of code that are timed: ``start = time.time()`` … ``time.time() - start``, wherever the two looks are."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from xlaport.context import Context
from xlaport.facts.clocks import Difference, differences
from xlaport.facts.loops import LOOPS
from xlaport.facts.module import LoopNode
from xlaport.facts.running import going_on
from xlaport.facts.structure import CallSite, Function


@dataclass(frozen=True)
class Timed:
    """What runs between two looks at the clock."""

    difference: ast.expr
    """What gives the time: the difference, or the call or property that does."""
    start: ast.stmt
    end: ast.stmt
    """The statement that looks at the clock for the second time."""
    span: tuple[ast.stmt, ...]
    rolling: LoopNode | None
    """The loop, where the clock was started by its last pass."""
    functions: tuple[Function, ...] = ()
    """What looks, where the statements do not themselves."""


def timed_spans(context: Context) -> Iterator[Timed]:
    """The timed spans of a file, each of them in one function."""
    structure, own = context.flow.structure, context.view.own
    for taken in differences(structure, own).values():
        for difference in taken:
            if difference.is_of_one and (found := _of_one(context, difference)) is not None:
                yield found
    contexts = {item.context_expr for node in context.module.of_type(ast.With, ast.AsyncWith) for item in node.items}
    for node in _running(context):
        is_other = node in contexts or isinstance(context.module.parents[node], ast.Compare)  # a limit of time
        for function in context.loops.run_by(node) if not is_other else []:
            for difference in differences(structure, function.facts).get(function.node, ()):
                if not difference.is_of_one and (found := _of_several(context, node, function, difference)):
                    yield found


def timed_blocks(context: Context) -> Iterator[Timed]:
    """The blocks of a file whose context looks at the clock where it is entered, and where it is left."""
    for block in context.module.of_type(ast.With, ast.AsyncWith):
        for item in block.items:
            functions = going_on(context.flow.structure, context.view.own, item.context_expr)
            if any(_takes_time(context, function) for function in functions):
                yield Timed(item.context_expr, block, block, tuple(block.body), None, tuple(functions))


def _takes_time(context: Context, function: Function) -> bool:
    """Whether a function takes the time since a clock was looked at: by another method, or before its ``yield``."""
    there = context.of(function.facts)
    for difference in differences(context.flow.structure, function.facts).get(function.node, ()):
        found = _of_one(there, difference) if difference.is_of_one else None
        if not difference.is_of_one or (found and there.module.that_run(found.span, ast.Yield)):
            return True
    return False


def _of_one(context: Context, difference: Difference) -> Timed | None:
    """What is timed by a function that looks at the clock itself."""
    starts = [context.module.statement(start.node) for start in difference.starts]
    return _between(context, difference.node, starts, context.module.statement(difference.end.node))


def _of_several(context: Context, node: ast.expr, function: Function, difference: Difference) -> Timed | None:
    """What is timed by functions that a file runs, or by one that is given the time: up to a node that takes it."""
    module, here = context.module, context.module.function(node)
    lookers = [looker for start in difference.starts for looker in _lookers(context, start)]
    starts = [
        module.statement(other)
        for other in _running(context)
        if module.function(other) is here and any(run in lookers for run in _runs(context, other))
        if _may_be_of_one(context, node, other)
    ]
    own = (start.node for start in difference.starts if start.facts is context.view.own)
    starts += [module.statement(start) for start in own if module.function(start) is here]
    end = module.statement(node)
    found = _between(context, node, _latest(context, list(dict.fromkeys(starts)), end), end)
    functions = (function, *lookers)
    return found and Timed(found.difference, found.start, found.end, found.span, found.rolling, functions)


def _running(context: Context) -> list[ast.expr]:
    """The calls of a file, and what else runs functions."""
    return [node for node in (*context.module.calls, *context.loops.beside) if isinstance(node, ast.expr)]


def _runs(context: Context, node: ast.AST) -> list[Function]:
    """What runs at a node, constructors among it."""
    structure, own = context.flow.structure, context.view.own
    return [*(structure.runs(own, node) if isinstance(node, ast.Call) else ()), *going_on(structure, own, node)]


def _lookers(context: Context, look: CallSite) -> list[Function]:
    """The function that looks at the clock, and those that call it."""
    node = look.facts.module.function(look.node)
    if node is None:
        return []
    function = Function(look.facts, node)
    sites = context.flow.structure.calls_to(function)
    callers = ((site.facts, site.facts.module.function(site.node)) for site in sites)
    return [function, *(Function(facts, caller) for facts, caller in callers if caller is not None)]


def _may_be_of_one(context: Context, one: ast.expr, other: ast.expr) -> bool:
    """Whether two calls, or properties, may be of one object."""
    found = _objects(context, one), _objects(context, other)
    return not all(found) or not found[0].isdisjoint(found[1])


def _objects(context: Context, node: ast.expr) -> frozenset[object]:
    """The objects that a node may belong to, or make."""
    func = node.func if isinstance(node, ast.Call) else node
    value = context.flow.structure.value(context.view.own, func.value if isinstance(func, ast.Attribute) else node)
    return frozenset[object](value.objects) if value is not None else frozenset()


def _latest(context: Context, starts: list[ast.stmt], end: ast.stmt) -> list[ast.stmt]:
    """Of what looks before a statement, the last; and what looks behind it, where a loop comes back to that."""
    before = [s for s in starts if s.lineno < end.lineno and _index(context, context.module.block(s), end) is not None]
    if not before:
        return starts
    last = max(before, key=lambda start: start.lineno)
    loop = next((p for p in context.module.ancestors(end) if isinstance(p, LOOPS)), None)
    if loop is None or loop in context.module.ancestors(last):
        return [last]
    return [last, *(start for start in starts if start.lineno > end.lineno or start is end)]


def _between(context: Context, node: ast.expr, starts: list[ast.stmt], end: ast.stmt) -> Timed | None:
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
        block, around = context.module.block(node), context.module.parents[node]
        tried = [*around.body, *around.orelse] if isinstance(around, ast.Try) and block is around.finalbody else []
        found = [*tried, *block[: block.index(node)], *found]
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
