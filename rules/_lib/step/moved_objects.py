"""Statements that move a module, with the name that it has behind them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from xlaport.context import Context
from xlaport.facts import vocabulary as torch_api
from xlaport.facts.classes import default
from xlaport.facts.names import Binding, How
from xlaport.facts.roles import dotted

from ..device import cuda
from .instances import PARALLEL, stripped
from .moves import destination, is_move, moves


@dataclass(frozen=True)
class Moved:
    """One move of a module."""

    call: ast.Call
    base: ast.expr
    """What is moved: a name, an attribute, or the call that makes it."""
    statement: ast.stmt
    root: str | None
    """How it is called behind the statement; None where it has no name there."""
    before: str | None
    """How it is called before the statement; None where it has no name yet."""


def moved_objects(context: Context) -> Iterator[Moved]:
    """The moves of whatever may be a module, in source order."""
    for call in context.module.calls:
        if not is_move(context, call) or _stays(context, call):
            continue
        assert isinstance(call.func, ast.Attribute)
        base = stripped(call.func.value)
        if not isinstance(base, ast.Name | ast.Attribute | ast.Call) or not context.editable(call):
            continue
        statement = context.module.statement(call)
        before = dotted(base)
        root = _root(context, call, statement, before)
        if root is None or not _comes_again(context, statement, root):
            yield Moved(call, base, statement, root, before)


def _root(context: Context, call: ast.Call, statement: ast.stmt, before: str | None) -> str | None:
    top: ast.expr = call
    wrapped = ""
    while True:
        parent = context.module.parents[top]
        outer = context.module.parents.get(parent)
        if (
            isinstance(parent, ast.Attribute)
            and isinstance(outer, ast.Call)
            and parent.attr in torch_api.MODULE_KEEPING_METHODS
        ):
            top = outer
        elif isinstance(parent, ast.Call) and parent.args[:1] == [top] and context.resolve(parent.func) in PARALLEL:
            wrapped += ".module"
            top = parent
        else:
            break
    target: ast.expr | None = None
    if isinstance(parent, ast.Expr):
        return before
    if isinstance(parent, ast.Assign) and len(parent.targets) == 1:
        target = parent.targets[0]
    elif isinstance(parent, ast.AnnAssign):
        target = parent.target
    elif isinstance(parent, ast.Tuple) and isinstance(outer, ast.Assign) and len(outer.targets) == 1:
        targets = outer.targets[0]
        if isinstance(targets, ast.Tuple) and len(targets.elts) == len(parent.elts):
            target = targets.elts[parent.elts.index(top)]
    name = dotted(target) if target is not None else None
    return name + wrapped if name is not None else None


def _comes_again(context: Context, statement: ast.stmt, root: str) -> bool:
    """Whether the object was moved before on every way to this statement, which then changes nothing."""
    while True:
        block = context.module.block(statement)
        for earlier in block[: block.index(statement)]:
            if not isinstance(earlier, ast.If) and moves(context, earlier, root):
                return True
        parent = context.module.parents[statement]
        if not isinstance(parent, ast.If | ast.With | ast.Try | ast.For | ast.While):
            return False
        statement = parent


def _stays(context: Context, call: ast.Call) -> bool:
    """Whether a move goes to the CPU, or changes a type, by what its argument is bound to."""
    where = destination(call)
    found = context.names.bindings(where) if isinstance(where, ast.Name) else ()
    return bool(found) and all(_is_no_place(context, binding) for binding in found)


def _is_no_place(context: Context, binding: Binding) -> bool:
    value = binding.value if binding.how is How.ASSIGN else None
    if binding.how is How.PARAMETER and isinstance(binding.node, ast.arg):
        if context.resolve(binding.node.annotation) == "torch.dtype":
            return True
        arguments = context.module.parents[binding.node]
        value = default(arguments, binding.name) if isinstance(arguments, ast.arguments) else None
        return value is not None and context.resolve(value) in torch_api.DTYPES
    if value is None:
        return False
    return cuda.is_cpu_device(context, value) or context.resolve(value) in torch_api.DTYPES
