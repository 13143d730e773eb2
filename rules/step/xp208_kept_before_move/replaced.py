"""Parameters that a move replaces and something keeps, told by the analysis."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.analysis.analysis import Analysis
from xlaport.analysis.events import Event, Kind
from xlaport.analysis.of_file import analysis_of
from xlaport.analysis.order import kept_too_long, taken
from xlaport.context import Context
from xlaport.facts.module import last_name
from xlaport.facts.program import Facts

_HOOKS = ("register_hook", "register_post_accumulate_grad_hook")
_PUT = frozenset({Kind.KEEP, Kind.MARK})
Place = tuple[Facts, ast.AST]


def kept(context: Context) -> Iterator[tuple[ast.expr, Place, Place]]:
    """The places of this file that keep parameters which a move replaces and something uses: with both of these.

    Where a call in the function of the move leads to that, the place is this call: the order is wrong there.
    """
    analysis = analysis_of(context.view.own)
    if not analysis.does(context.view.own.file, {Kind.KEEP}):
        return
    for early, move, use in analysis.once(kept_too_long, lambda: list(_kept(analysis))):
        there = analysis.facts_of(move.node)
        mine = there.module.function(move.node)
        way = [node for node in early.way if node in there.module.parents and there.module.function(node) is mine]
        node = [*way, early.node][0]
        if node in context.module.parents and isinstance(node, ast.expr) and use.kind is Kind.USE:
            yield node, (there, move.node), (analysis.facts_of(use.node), use.node)


def _kept(analysis: Analysis) -> Iterator[tuple[Event, Event, Event]]:
    for entrance in analysis.leading_here():
        if {Kind.KEEP, Kind.MOVE} <= analysis.done.get(entrance, frozenset()):
            yield from kept_too_long(entrance, analysis)


def moved_behind(context: Context, statement: ast.stmt) -> Place | None:
    """The move that leaves behind what a statement keeps of parameters."""
    analysis, nodes = analysis_of(context.view.own), set(ast.walk(statement))
    pairs = analysis.once(moved_behind, lambda: list(_moved_behind(analysis)))
    return next(((analysis.facts_of(move), move) for node, move in pairs if node in nodes), None)


def hooked(context: Context) -> Iterator[tuple[ast.Call, Place]]:
    """The calls of this file that hang a hook on parameters which a move replaces later, with that move."""
    analysis = analysis_of(context.view.own)
    if not any(hook in context.module.text for hook in _HOOKS):
        return
    for node, move in analysis.once(moved_behind, lambda: list(_moved_behind(analysis))):
        if isinstance(node, ast.Call) and node in context.module.parents and last_name(node.func) in _HOOKS:
            yield node, (analysis.facts_of(move), move)


def _moved_behind(analysis: Analysis) -> Iterator[tuple[ast.AST, ast.AST]]:
    for entrance in analysis.leading_here():
        if _PUT & analysis.done.get(entrance, frozenset()):
            yield from ((one.take.node, one.moves[0].node) for one in taken(entrance, analysis, (), _PUT) if one.moves)
