"""Parameters that a move replaces, told by the analysis: what keeps the old ones, and what has made two of them one."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from xlaport.analysis.analysis import Analysis
from xlaport.analysis.definitions import Class
from xlaport.analysis.events import Event, Kind
from xlaport.analysis.of_file import analysis_of
from xlaport.analysis.order import kept_too_long, taken, untied
from xlaport.analysis.value import UNKNOWN
from xlaport.context import Context
from xlaport.facts.module import walk_block
from xlaport.facts.program import Facts

from .asked_moves import is_asked

_PUT = frozenset({Kind.KEEP, Kind.MARK})
Place = tuple[Facts, ast.AST]


def kept(context: Context) -> Iterator[tuple[ast.expr, Place, Place]]:
    """The places of this file that keep parameters which a move replaces and something uses: with both of these."""
    analysis = analysis_of(context.view.own)
    for early, move, use in analysis.once(kept_too_long, lambda: list(_kept(analysis))):
        if early.node in context.module.parents and isinstance(early.node, ast.expr) and use.kind is Kind.USE:
            yield early.node, (analysis.facts_of(move.node), move.node), (analysis.facts_of(use.node), use.node)


def _kept(analysis: Analysis) -> Iterator[tuple[Event, Event, Event]]:
    for entrance in analysis.entrances():
        if {Kind.KEEP, Kind.MOVE} <= analysis.done.get(entrance, frozenset()):
            yield from kept_too_long(entrance, analysis)


def moved_behind(context: Context, statement: ast.stmt) -> Place | None:
    """The move that makes two of what a statement ties, or that leaves what it keeps of parameters behind."""
    analysis, nodes = analysis_of(context.view.own), set(ast.walk(statement))
    pairs = analysis.once(moved_behind, lambda: list(_moved_behind(analysis)))
    return next(((analysis.facts_of(move), move) for node, move in pairs if node in nodes), None)


def _moved_behind(analysis: Analysis) -> Iterator[tuple[ast.AST, ast.AST]]:
    yield from ((tie.node, move.node) for tie, move in _untied(analysis))
    for entrance in analysis.entrances():
        if _PUT & analysis.done.get(entrance, frozenset()):
            yield from ((one.take.node, one.moves[0].node) for one in taken(entrance, analysis, (), _PUT) if one.moves)


def parted(context: Context) -> Iterator[tuple[ast.Call, Place]]:
    """The moves of this file that make two of a parameter which two layers share, with what ties these."""
    analysis = analysis_of(context.view.own)
    for tie, move in analysis.once(untied, lambda: list(_untied(analysis))):
        nodes = [tie.node, *tie.way]
        if isinstance(move.node, ast.Call) and move.node in context.module.parents:
            moved = move.node.func.value if isinstance(move.node.func, ast.Attribute) else move.node
            kind = (analysis.value_at(moved) or UNKNOWN).type
            ties_again = isinstance(kind, Class) and kind.method("_apply") is not None
            if not ties_again and all(_is_sure(context, analysis.facts_of(node), node) for node in nodes):
                yield move.node, (analysis.facts_of(tie.node), tie.node)


def _untied(analysis: Analysis) -> Iterable[tuple[Event, Event]]:
    for entrance in analysis.entrances():
        if {Kind.TIE, Kind.MOVE} <= analysis.done.get(entrance, frozenset()):
            yield from untied(entrance, analysis)


def _is_sure(context: Context, facts: Facts, node: ast.AST) -> bool:
    """Whether code runs whenever its function does: it is under no condition, and behind no early return."""
    there = context.of(facts)
    if is_asked(there, node):
        return False
    function = facts.module.function(node)
    above = (n for n in walk_block(function.body) if isinstance(n, ast.Return)) if function is not None else ()
    return all(left.lineno > getattr(node, "lineno", 0) for left in above)
