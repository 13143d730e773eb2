"""Statements that keep the parameters of a model, or hang something on them, which a move to XLA leaves behind."""

from __future__ import annotations

import ast
import enum
from collections.abc import Iterator
from dataclasses import dataclass

from xlaport.analysis.events import Kind
from xlaport.analysis.of_file import analysis_of
from xlaport.context import Context
from xlaport.facts.module import FunctionNode
from xlaport.facts.roles import dotted

from .optimizers import models


class What(enum.Enum):
    """What is left behind."""

    LIST = "list"
    HOOK = "hook"
    MARK = "mark"


@dataclass(frozen=True)
class Keeper:
    """One statement that keeps parameters of a model."""

    node: ast.AST
    """What does it."""
    statement: ast.stmt
    """The statement of the block around it: the loop over the parameters, where there is one."""
    model: str
    what: What
    name: str
    """The collection, the method that registers the hook, or the attribute of the mark."""


def keepers(context: Context) -> list[Keeper]:
    """The keepers of a file, in source order."""
    return context.view.own.once("XP208", lambda: sorted(_keepers(context), key=lambda found: found.statement.lineno))


def _keepers(context: Context) -> Iterator[Keeper]:
    for function in analysis_of(context.view.own).functions_in(context.view.own.file):
        for event in function.events:
            if event.kind is Kind.KEEP:
                yield from _listed(context, event.node)
            elif event.kind is Kind.MARK:
                yield from _hung(context, event.node)


def _listed(context: Context, node: ast.AST) -> Iterator[Keeper]:
    """A collection of parameters that gets a name."""
    statement = context.module.statement(node)
    name = dotted(statement.targets[0]) if isinstance(statement, ast.Assign) and len(statement.targets) == 1 else None
    if name is not None:
        yield from (Keeper(statement, statement, model, What.LIST, name) for model in models(context, node))


def _hung(context: Context, node: ast.AST) -> Iterator[Keeper]:
    """A hook, or an attribute: of a parameter that a loop goes through, or that is spelled out: ``model.fc.weight``."""
    func = node.func if isinstance(node, ast.Call) else node
    what, name, base = What.MARK, "", func.value if isinstance(func, ast.Attribute) else None
    if isinstance(func, ast.Attribute):
        what, name = What.HOOK if func is not node else What.MARK, func.attr
    elif isinstance(node, ast.Call) and isinstance(node.args[1], ast.Constant):  # setattr(p, "decay", True)
        name, base = str(node.args[1].value), node.args[0]
    if isinstance(base, ast.Attribute):
        path = dotted(base.value)
        yield from (Keeper(node, context.module.statement(node), path, what, name),) if path is not None else ()
        return
    for loop in context.module.ancestors(node):
        if isinstance(loop, FunctionNode):
            return
        if isinstance(loop, ast.For) and (taken := models(context, loop.iter)):
            yield Keeper(node, loop, taken[0], what, name)
            return
