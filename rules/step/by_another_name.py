"""Optimizers whose model moves later by another name, or through an object that holds it: told by the analysis."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.analysis.analysis import Analysis
from xlaport.analysis.events import Kind
from xlaport.analysis.of_file import analysis_of
from xlaport.analysis.order import perhaps_taken_too_early, taken_too_early
from xlaport.context import Context
from xlaport.facts.program import Facts


def moved_by_another_name(context: Context) -> Iterator[tuple[ast.Call, Facts, ast.Call]]:
    """The calls of this file that take parameters which a later move replaces, with that move and its file.

    Not those of what a function is handed and somebody else moves, nor of what it gives back: of these, the calls of
    that function are to speak.
    """
    analysis = analysis_of(context.view.own)
    module = context.module
    if not _takes(context, analysis):
        return
    for early, move, is_handed in analysis.once(taken_too_early, lambda: _pairs(analysis)):
        if early not in module.parents or isinstance(module.parents[early], ast.Return):
            continue
        if not is_handed or (move in module.parents and module.function(move) is module.function(early)):
            yield early, analysis.facts_of(move), move


def perhaps_moved(context: Context) -> Iterator[tuple[ast.Call, Facts, ast.Call]]:
    """The calls of this file that take parameters which a later move may replace: nobody can see what that moves."""
    analysis = analysis_of(context.view.own)
    if not _takes(context, analysis):
        return
    told: set[ast.AST] = set()
    for entrance in analysis.entrances():
        pairs = perhaps_taken_too_early(entrance, analysis) if Kind.TAKE in analysis.done.get(entrance, ()) else ()
        for early, move in pairs:
            take, later = early.node, move.node
            if take in told or take not in context.module.parents:
                continue
            if isinstance(take, ast.Call) and isinstance(later, ast.Call):
                told.add(take)
                yield take, analysis.facts_of(later), later


def _takes(context: Context, analysis: Analysis) -> bool:
    """Whether something in this file takes parameters."""
    own = analysis.functions_in(context.view.own.file)
    return any(event.kind is Kind.TAKE for function in own for event in function.events)


def _pairs(analysis: Analysis) -> list[tuple[ast.Call, ast.Call, bool]]:
    """Each such call once, with the move, and whether a function is handed what it takes."""
    found = {
        early.node: (early.node, move.node, bool(early.parameter))
        for entrance in analysis.entrances()
        if Kind.TAKE in analysis.done.get(entrance, ())
        for early, move in taken_too_early(entrance, analysis)
    }
    return [
        (take, move, is_handed)
        for take, move, is_handed in found.values()
        if isinstance(take, ast.Call) and isinstance(move, ast.Call)
    ]
