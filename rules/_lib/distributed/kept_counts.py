"""Counts of GPUs that the starting process keeps as an attribute and its processes read: each asks for it itself."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.import_graph import reached
from xlaport.facts.roles import dotted
from xlaport.rule import InsertStatement

from .. import process_start
from ..device import counting
from . import gates, names
from .part import Part


def is_of_all(name: str) -> bool:
    """Whether a number of processes is that of all hosts, by its word."""
    return re.search(r"world|^size$|replicas", name, re.IGNORECASE) is not None


def first_of(function: ast.FunctionDef) -> ast.stmt:
    """The statement of a function before which it can ask for something."""
    is_text = isinstance(function.body[0], ast.Expr) and isinstance(function.body[0].value, ast.Constant)
    return function.body[1] if is_text and len(function.body) > 1 else function.body[0]


def ask_for(
    part: Part, call: ast.Call, kept: ast.expr, targets: list[ast.FunctionDef], values: list[ast.expr]
) -> ast.AST | None:
    """``args.gpus = …`` of the process that starts the others: they set it anew. What needs it elsewhere is given."""
    if not isinstance(kept, ast.Attribute):
        return None
    context = part.context
    used = list(_uses(context, call, kept))
    own = map(context.module.statement, _own(context, kept))
    derived = [s.targets[0] for s in own if isinstance(s, ast.Assign) and _counts_on(context, s)]
    for use in used:
        if use in context.module.parents and process_start.runs_before(context, use):
            return use
    if used:
        index = next((i for i, value in enumerate(values) if ast.dump(value) == ast.dump(kept.value)), None)
        if index is None or not isinstance(kept.value, ast.Name):
            return used[0] if used[0] in context.module.parents else call
        for target in targets:
            parameter = [*target.args.posonlyargs, *target.args.args][index + 1]
            first = first_of(target)
            size = part.asks("world_size" if is_of_all(kept.attr) else "local_device_count", first)
            text = f"{parameter.arg}.{kept.attr} = {size}()"
            part.edits.append(InsertStatement(context.span(first), text, before=True))
    for other in derived:
        needed = ask_for(part, call, other, targets, values) if dotted(other) != dotted(kept) else None
        if needed is not None:
            return needed
    return None


def _own(context: Context, kept: ast.Attribute) -> list[ast.Attribute]:
    """The reads of an attribute in the file, by the same words."""
    return [n for n in context.view.own.loads.get(kept.attr, []) if dotted(n) == dotted(kept)]


def _counts_on(context: Context, statement: ast.stmt) -> bool:
    """``args.world_size = args.gpus * args.nodes``, before the others are started."""
    return (
        isinstance(statement, ast.Assign)
        and all(isinstance(t, ast.Attribute) and counting.names_processes(t.attr) for t in statement.targets)
        and process_start.runs_before(context, statement)
    )


def _uses(context: Context, call: ast.Call, kept: ast.Attribute) -> Iterator[ast.Attribute]:
    """What reads the number for something else than to start processes, to join them or to number them."""
    own = context.view.own
    if is_of_all(kept.attr) and any(_joins(context, node) for node in own.loads.get(kept.attr, [])):
        return  # (the group asks for it behind the join)
    known = {n for gate in gates.gates(context) for n in ast.walk(gate)} | set(ast.walk(call))
    for node in own.loads.get(kept.attr, []):
        statement = context.module.statement(node)
        if node in known or counting.starts_processes(context, node) or _counts_on(context, statement):
            continue
        if isinstance(statement, ast.Assign) and all(counting.is_rank(context, t) for t in statement.targets):
            continue
        if not _joins(context, node):
            yield node
    yield from elsewhere(context, kept.attr)


def elsewhere(context: Context, name: str) -> Iterator[ast.Attribute]:
    """The reads of an attribute in the other files that this one reaches."""
    own, program = context.view.own.file, context.view.program
    for file in [] if context.view.is_alone else sorted(reached([own], program.graph.imports)):
        facts = context.view.facts(file) if file != own and program.says_attribute(file, name) else None
        yield from facts.loads.get(name, []) if facts is not None else ()


def _joins(context: Context, node: ast.Attribute) -> bool:
    parent = context.module.parents[node]
    call = context.module.parents[parent] if isinstance(parent, ast.keyword) else parent
    return isinstance(call, ast.Call) and context.resolve(call.func) == names.START
