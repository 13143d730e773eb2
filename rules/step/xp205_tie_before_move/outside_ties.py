"""Statements that tie two parameters of an object from outside, and the move that undoes it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from xlaport.analysis.events import Kind
from xlaport.analysis.of_file import analysis_of
from xlaport.context import Context
from xlaport.facts.module import walk_block
from xlaport.facts.roles import dotted

from ..._lib.step.optimizers import mentions
from ..._lib.step.parameter_names import looks_like_tie
from ..._lib.step.reordering import Pair, pair_of, wraps
from .untied import all_tied


@dataclass(frozen=True)
class OutsideTie:
    """``model.decoder.weight = model.encoder.weight`` before a move of the model in the same function."""

    statement: ast.stmt
    """The tie, or the ``if`` around it that holds nothing else."""
    pair: Pair
    says: str
    """The tie itself, on one line."""
    can_sink: bool
    """Whether it can stand behind the move: nothing in between looks at the object."""
    can_repeat: bool
    """Whether it can be done once more there: it is done on every way to the move."""


def outside_ties(context: Context) -> list[OutsideTie]:
    """The ties of a file that are no part of the making of an object, and that a move undoes."""
    return list(_outside_ties(context))


def _outside_ties(context: Context) -> Iterator[OutsideTie]:
    for node in context.module.of_type(ast.Assign):
        root = _root(context, node) if looks_like_tie(node) else None
        if root is None or _stays_tied(context, node):
            continue
        statement = _around(context, node)
        pair = pair_of(context, statement, root, statement)
        if pair is None or _is_done_behind(context, pair):
            continue
        can_repeat = pair.first is statement and not wraps(context, pair)
        can_sink = can_repeat and not any(mentions(other, root) for other in pair.between)
        text = context.module.segment(node)
        says = text if "\n" not in text else ast.unparse(node)
        yield OutsideTie(statement, pair, says, can_sink, can_repeat and statement is node)


def _root(context: Context, statement: ast.Assign) -> str | None:
    """What both parameters belong to; None where that is the module that is being made."""
    root = _common(dotted(statement.targets[0]) or "", dotted(statement.value) or "")
    first: ast.expr = statement.value
    while isinstance(first, ast.Attribute):
        first = first.value
    owner = context.names.self_class(first) if isinstance(first, ast.Name) else None
    if owner is not None and (context.roles.is_module_class(owner) or root == getattr(first, "id", None)):
        return None
    return root


def _common(one: str, other: str) -> str | None:
    """``model`` of ``model.a.weight`` and ``model.b.weight``."""
    parts: list[str] = []
    for left, right in zip(one.split(".")[:-1], other.split(".")[:-1], strict=False):
        if left != right:
            break
        parts.append(left)
    return ".".join(parts) or None


def _around(context: Context, statement: ast.stmt) -> ast.stmt:
    parent = context.module.parents[statement]
    is_whole = isinstance(parent, ast.If) and not parent.orelse and all(looks_like_tie(s) for s in parent.body)
    if is_whole and isinstance(parent, ast.If) and not any(isinstance(n, ast.Call) for n in ast.walk(parent.test)):
        return parent
    return statement


def _stays_tied(context: Context, statement: ast.Assign) -> bool:
    """Whether the analysis knows what is tied, and of no move that parts it: the object had moved before."""
    functions = analysis_of(context.view.own).functions_in(context.view.own.file)
    nodes = {event.node for function in functions for event in function.events if event.kind is Kind.TIE}
    if statement.targets[0] not in nodes:
        return False
    return not any(one.tie.node is statement.targets[0] and one.move is not None for one in all_tied(context))


def _is_done_behind(context: Context, pair: Pair) -> bool:
    """Whether it is tied again behind the move."""
    function = context.module.function(pair.move)
    body = function.body if function is not None else context.module.tree.body
    text = ast.unparse(pair.taker)
    behind = (n for n in walk_block(body) if isinstance(n, ast.stmt) and n.lineno > pair.move.lineno)
    return any(ast.unparse(statement) == text for statement in behind)
