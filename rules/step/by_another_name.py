"""Optimizers whose model moves later by another name, or through an object that holds it: told by the analysis."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Set

from xlaport.analysis import library
from xlaport.analysis.analysis import Analysis
from xlaport.analysis.of_file import analysis_of
from xlaport.analysis.order import taken_too_early
from xlaport.analysis.value import OPTIMIZER
from xlaport.context import Context
from xlaport.facts.program import Facts


def moved_by_another_name(context: Context, settled: Set[ast.stmt]) -> Iterator[tuple[ast.Call, Facts, ast.Call]]:
    """The calls of this file that take parameters which a later move replaces, with that move and its file.

    Not those of what a function is handed, or gives back: of these, the calls of that function are to speak. Where all
    optimizers are settled, nothing is analysed: that costs some four times the parse, of all that a file imports, too.
    """
    if all(context.module.statement(call) in settled for call in _optimizers(context)):
        return
    analysis = analysis_of(context.view.own)
    for early, move in analysis.once(taken_too_early, lambda: _pairs(analysis)):
        if early in context.module.parents and not isinstance(context.module.parents[early], ast.Return):
            yield early, analysis.facts_of(move), move


def _optimizers(context: Context) -> Iterator[ast.Call]:
    """The calls of a file that make an optimizer."""
    for call in context.module.calls:
        name = context.resolve(call.func)
        made = library.returned(name) if name is not None else None
        if made is not None and made.type == OPTIMIZER:
            yield call


def _pairs(analysis: Analysis) -> list[tuple[ast.Call, ast.Call]]:
    found = {
        early.node: (early.node, move.node)
        for entrance in analysis.entrances()
        for early, move in taken_too_early(entrance, analysis)
        if not early.parameter
    }
    return [(take, move) for take, move in found.values() if isinstance(take, ast.Call) and isinstance(move, ast.Call)]
