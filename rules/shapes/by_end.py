"""Slices whose end or length matters: what counts from there is not the same where all places are kept."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.module import FunctionNode
from xlaport.facts.names import How
from xlaport.facts.program import Facts
from xlaport.facts.structure import Function

_MAX_DEPTH = 3
_BY_LENGTH = frozenset({"shape", "size", "flip", "roll", "mean", "numel"})
_KEEPING = frozenset({"to", "clone", "detach", "contiguous", "float", "long", "bool", "int", "cuda"})


def goes_by_end(context: Context, part: ast.expr) -> str | None:
    """The line of what goes by the end or the length of a part of a tensor, or in a function that gets it."""
    found = next(_of(context, context.view.own, part, 0), None)
    if found is None:
        return None
    facts, node = found
    if facts is context.view.own:
        return f"line {context.line(node)}"
    return f"line {getattr(node, 'lineno', 1)} of {os.path.basename(facts.file)}"


def _of(context: Context, facts: Facts, node: ast.expr, depth: int) -> Iterator[tuple[Facts, ast.AST]]:
    parents = facts.module.parents
    parent = parents[node]
    if depth > _MAX_DEPTH:
        return
    if isinstance(parent, ast.Assign) and parent.value is node:
        target = parent.targets[0]
        if isinstance(target, ast.Name) and (home := facts.names.home(target)) is not None:
            for use in facts.names.uses(home, target.id):
                if isinstance(use.ctx, ast.Load) and any(b.node is target for b in facts.names.reaching(use)):
                    yield from _of(context, facts, use, depth)
    elif isinstance(parent, ast.Subscript) and parent.value is node:
        elements = parent.slice.elts if isinstance(parent.slice, ast.Tuple) else [parent.slice]
        bounds = [b for e in elements for b in ([e.lower, e.upper] if isinstance(e, ast.Slice) else [e])]
        if any(isinstance(b, ast.UnaryOp) and isinstance(b.op, ast.USub) for b in bounds):
            yield facts, parent
    elif isinstance(parent, ast.Attribute):
        call = parents[parent]
        if parent.attr in _BY_LENGTH:
            yield facts, parent
        elif parent.attr in _KEEPING and isinstance(call, ast.Call) and call.func is parent:
            yield from _of(context, facts, call, depth)
    elif isinstance(parent, ast.Call | ast.keyword):
        yield from _passed(context, facts, node, depth)


def _passed(context: Context, facts: Facts, node: ast.expr, depth: int) -> Iterator[tuple[Facts, ast.AST]]:
    """What a function of the project does with a part that it gets."""
    parent = facts.module.parents[node]
    call = facts.module.parents[parent] if isinstance(parent, ast.keyword) else parent
    if not isinstance(call, ast.Call):
        return
    if facts.names.resolve(call.func) == "builtins.len":
        yield facts, call
        return
    structure = context.flow.structure
    function = structure.run_by(facts, call)
    name = structure.parameter_of(call, function, node) if function is not None else None
    if function is None or name is None or function.node.name == "forward":
        return
    for use in _uses(function, name):
        yield from _of(context, function.facts, use, depth + 1)


def _uses(function: Function, name: str) -> Iterator[ast.Name]:
    """Where a function takes its parameter as it was given."""
    assert isinstance(function.node, FunctionNode)
    for node in ast.walk(function.node):
        if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load):
            if any(b.how is How.PARAMETER for b in function.facts.names.reaching(node)):
                yield node
