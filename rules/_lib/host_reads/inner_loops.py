"""Loops that are part of a step: over parameters, losses, the samples of a batch."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.facts.loops import LOOPS
from xlaport.facts.module import LoopNode, last_name
from xlaport.facts.reads import HostRead

from .elements import read_one_by_one

_NAMED_PARTS = frozenset({"named_parameters", "named_modules", "named_children", "named_buffers"})


def reads_in_each_pass(context: Context, inner: LoopNode) -> list[HostRead]:
    """The reads of a loop itself, under no condition but that there is something to read."""
    reads = [*context.reads.all_in(inner.body), *context.reads.written(inner.body)]
    return [read for read in reads if _is_in_each_pass(context, read, inner)]


def reads_in_some_passes(context: Context, inner: ast.For) -> list[HostRead]:
    """The reads of elements in a loop that are under a condition which each pass answers for itself, where something
    is read beside the loop anyway: ``if not right[i]: print(found[i])``.
    """
    reads = [read for read in context.reads.all_in(inner.body) if read.proven]
    reads = [
        read for read in reads if read_one_by_one(context, read, inner) and _is_asked_by_pass(context, read, inner)
    ]
    block = context.module.block(inner)
    before = block[: block.index(inner)] if reads else []
    return reads if any(read.proven for read in context.reads.within(before)) else []


def _is_asked_by_pass(context: Context, read: HostRead, inner: ast.For) -> bool:
    child: ast.AST = read.node
    for parent in context.module.ancestors(read.node):
        if parent is inner:
            return False
        if isinstance(parent, ast.If) and child is not parent.test:
            names = (node for node in ast.walk(parent.test) if isinstance(node, ast.Name))
            return any(
                inner in context.module.ancestors(b.node) for name in names for b in context.names.reaching(name)
            )
        child = parent
    return False


def is_in_loop_of_step(context: Context, node: ast.expr, statement: ast.stmt) -> bool:
    """Whether a node of a statement is what `reads_in_each_pass` finds in a loop of it."""
    for parent in context.module.ancestors(node):
        if isinstance(parent, LOOPS):
            return any(read.node is node for read in reads_in_each_pass(context, parent))
        if parent is statement:
            return False
    return False


def _is_in_each_pass(context: Context, read: HostRead, inner: LoopNode) -> bool:
    if not read.proven and not _is_of_gradient(context, read.tensor):
        return False
    child: ast.AST = read.node
    for parent in context.module.ancestors(read.node):
        if parent is inner:
            return True
        if isinstance(parent, ast.If) and child is parent.test:
            return False
        if isinstance(parent, ast.If) and not (_asks_for_presence(parent.test) or _picks_parts(parent.test, inner)):
            return False
        if isinstance(parent, LOOPS | ast.ExceptHandler):
            return False
        child = parent
    return False


def _is_of_gradient(context: Context, node: ast.expr) -> bool:
    found = context.names.reaching(node) if isinstance(node, ast.Name) else ()
    values = [binding.value for binding in found if binding.value is not None] or [node]
    return all(any(isinstance(n, ast.Attribute) and n.attr == "grad" for n in ast.walk(v)) for v in values)


def _picks_parts(test: ast.expr, inner: LoopNode) -> bool:
    """``if "weight" in name:`` in a loop over the parts of a module: those that it picks are the same in each step."""
    source = None if isinstance(inner, ast.While) else inner.iter
    if not isinstance(source, ast.Call) or last_name(source.func) not in _NAMED_PARTS or isinstance(inner, ast.While):
        return False
    name = inner.target.elts[0] if isinstance(inner.target, ast.Tuple) else None
    asked = {n.id for n in ast.walk(test) if isinstance(n, ast.Name)}
    return isinstance(name, ast.Name) and asked == {name.id}


def _asks_for_presence(test: ast.expr) -> bool:
    """``p.grad is not None``, ``p.requires_grad``."""
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        return all(_asks_for_presence(value) for value in test.values)
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        nothing = test.comparators[0]
        return isinstance(test.ops[0], ast.IsNot) and isinstance(nothing, ast.Constant) and nothing.value is None
    return isinstance(test, ast.Attribute) and test.attr == "requires_grad"
