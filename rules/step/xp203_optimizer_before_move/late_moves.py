"""Where a model moves after an optimizer took its parameters, elsewhere or by another name: told by events."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass

from xlaport.analysis.analysis import Analysis
from xlaport.analysis.events import Event, Objects, objects_in
from xlaport.analysis.of_file import analysis_of
from xlaport.analysis.order import Taken, whole
from xlaport.analysis.value import KEPT, UNKNOWN, UNSEEN, Site
from xlaport.context import Context
from xlaport.facts.module import FunctionNode
from xlaport.facts.program import Facts
from xlaport.facts.roles import dotted

from ..._lib.device import cuda
from ..._lib.step.asked_moves import guards
from ..._lib.step.moves import destination, goes_to_accelerator
from .by_another_name import all_taken, is_given_back


@dataclass(frozen=True)
class LateMove:
    """A move that comes after the optimizer."""

    facts: Facts
    call: ast.Call
    models: list[str]
    """What is to move before, as the optimizer's function calls it."""
    is_sure: bool
    """Whether it goes to the accelerator, whenever the optimizer is made."""
    is_idle: bool
    """Whether nothing runs the model before it."""
    is_asked: bool
    """Whether it is under a condition that the optimizer is not under."""
    at: ast.stmt | None
    """The statement that moves it, or has it moved, if that stands in the same function as the optimizer."""


def late_move(context: Context, statement: ast.stmt, models: Mapping[str, ast.stmt]) -> LateMove | None:
    """The first move of the models behind a statement that builds an optimizer of their parameters."""
    analysis, parents = analysis_of(context.view.own), context.module.parents
    every = [
        one
        for one in all_taken(analysis)
        if any(node in parents and context.module.statement(node) is statement for node in _whole_way(one.take))
    ]
    if any(one.take.node in parents and one.take.parameter and one.take.way and _gives(context, one) for one in every):
        return None  # the calls of that function are to speak of it
    moves = [(one.take, move, call) for one in every for move in one.moves if (call := _call(move))]
    objects = whole(frozenset[Site]().union(*(move.objects for _, move, _ in moves)), analysis.parts)
    given = {take.parameter for take, _, _ in moves}
    named = [
        model
        for model, at in models.items()
        if model in given or not _objects_of(analysis, at, model).isdisjoint(objects)
    ]
    if not named:
        return None
    take, move, call = moves[0]
    goes = [goes_to_accelerator(context.of(analysis.facts_of(node)), node) for _, _, node in moves]
    taking = {site for one in every for site in one.take.objects if site.end_line != KEPT and site != UNSEEN}
    is_every = all(one.moves for one in every) and taking <= objects
    return LateMove(
        analysis.facts_of(call),
        call,
        named,
        is_every and all(goes),
        all(one.is_idle for one in every),
        any(_is_asked(context, analysis, take, move) for take, move, _ in moves),
        _statement_of(context, statement, take, move),
    )


def _call(move: Event) -> ast.Call | None:
    return move.node if isinstance(move.node, ast.Call) else None


def _objects_of(analysis: Analysis, at: ast.stmt, model: str) -> Objects:
    """The objects that a name has in a statement, or that its elements are."""
    named = (node for node in ast.walk(at) if isinstance(node, ast.Name | ast.Attribute) and dotted(node) == model)
    values = (analysis.value_at(node) or UNKNOWN for node in named)
    return frozenset[Site]().union(*(objects_in(value) for value in values if value.keys is None))


def _way(take: Event, move: Event) -> list[ast.AST]:
    """The calls that lead to a move from where the way to the optimizer is another one, and the move."""
    ways = zip((*take.way, take.node), (*move.way, move.node), strict=False)
    same = next((place for place, (one, other) in enumerate(ways) if one is not other), 0)
    return [*move.way[same:], move.node]


def _whole_way(event: Event) -> tuple[ast.AST, ...]:
    return (*event.way, event.node)


def _gives(context: Context, one: Taken) -> bool:
    """Whether the statement that builds an optimizer stands in a function that gives it back."""
    return isinstance(one.take.node, ast.Call) and is_given_back(context, one.take.node)


def _statement_of(context: Context, statement: ast.stmt, take: Event, move: Event) -> ast.stmt | None:
    """The statement of the optimizer's own function that moves its model, or has it moved."""
    parents, way = context.module.parents, _whole_way(move)
    mine = (place for place, node in enumerate(_whole_way(take)) if node in parents)
    depth = next((at for at in mine if context.module.statement(_whole_way(take)[at]) is statement), len(way))
    if way[:depth] != take.way[:depth] or depth >= len(way) or isinstance(way[depth], FunctionNode):
        return None
    return context.module.statement(way[depth]) if way[depth] in parents else None


def _is_asked(context: Context, analysis: Analysis, take: Event, move: Event) -> bool:
    """Whether a move is under a condition that may be false where the optimizer is made."""
    beside = {*take.way, take.node}
    for node in _way(take, move):
        if isinstance(node, FunctionNode):
            return True  # nobody is seen to call it
        there = context.of(analysis.facts_of(node))
        for guard, _ in guards(there, node):
            is_of_both = any(part in beside for part in ast.walk(guard))
            if not is_of_both and not cuda.is_available_call(there, guard.test):
                return True
    return False


def device_of(context: Context, move: LateMove, before: ast.stmt) -> str | None:
    """What the move calls its device, where that means the same above a statement: a global, or ``self.device``."""
    where = destination(move.call) if move.facts is context.view.own else None
    if isinstance(where, ast.Name):
        home = context.names.home(where)
        same = home is not None and context.names.visible(where.id, before) == tuple(home.bindings.get(where.id, ()))
        return where.id if same and home is context.names.root else None
    path = dotted(where) if isinstance(where, ast.Attribute) else None
    block = context.module.block(before)
    above = block[: block.index(before)]
    if path is None or context.module.class_of(move.call) is not context.module.class_of(before):
        return None
    is_set = any(isinstance(s, ast.Assign) and [dotted(t) for t in s.targets] == [path] for s in above)
    return path if is_set else None
