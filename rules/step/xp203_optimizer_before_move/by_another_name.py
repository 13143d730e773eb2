"""Optimizers whose model moves later by another name, or through an object that holds it: told by the analysis."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.analysis.analysis import Analysis
from xlaport.analysis.events import Kind, Objects
from xlaport.analysis.of_file import analysis_of
from xlaport.analysis.order import Taken, entered, perhaps_taken_too_early, taken
from xlaport.analysis.value import OPTIMIZER, UNKNOWN
from xlaport.context import Context
from xlaport.facts.program import Facts


def moved_by_another_name(context: Context) -> Iterator[tuple[ast.Call, Facts, ast.Call]]:
    """The calls of this file that take parameters which a later move replaces, with that move and its file.

    Not those of what a function is handed and somebody else moves, nor of what it gives back: of these, the calls of
    that function are to speak.
    """
    for take, there, move, is_handed in _taken_here(context):
        if not is_handed:
            yield take, there, move


def perhaps_moved(context: Context) -> Iterator[tuple[ast.Call, Facts, ast.Call]]:
    """The calls of this file that take parameters which a later move may replace: nobody can see what that moves.

    With those of what a function is handed, or gives back: whether its calls speak is not asked.
    """
    told: set[ast.Call] = set()
    for take, there, move, is_handed in _taken_here(context):
        if is_handed:
            told.add(take)
            yield take, there, move
    analysis = analysis_of(context.view.own)
    for early, move in analysis.once(perhaps_taken_too_early, lambda: _perhaps(analysis)).items():
        if early in context.module.parents and early not in told:
            yield early, analysis.facts_of(move), move


def all_taken(analysis: Analysis) -> list[Taken]:
    """What optimizers take, with the moves behind that."""
    entrances = entered(analysis, {Kind.TAKE, Kind.MOVE})
    return analysis.once(taken, lambda: [one for each, then in entrances for one in taken(each, analysis, then)])


def _perhaps(analysis: Analysis) -> dict[ast.Call, ast.Call]:
    found: dict[ast.Call, ast.Call] = {}
    for entrance, _ in entered(analysis, {Kind.TAKE}):
        for early, move in perhaps_taken_too_early(entrance, analysis):
            if isinstance(early.node, ast.Call) and isinstance(move.node, ast.Call):
                found.setdefault(early.node, move.node)
    return found


def is_given_up(context: Context, statement: ast.stmt) -> bool:
    """Whether the name of an optimizer gets another value before anything has used this one."""
    target = statement.targets[0] if isinstance(statement, ast.Assign) else None
    home = context.names.home(target) if isinstance(target, ast.Name) else None
    if home is None or not isinstance(target, ast.Name):
        return False
    analysis, bound = analysis_of(context.view.own), context.names.bindings(target)
    if not any(getattr(binding.node, "lineno", 0) > statement.lineno for binding in bound):
        return False
    made = analysis.value_at(target) or UNKNOWN
    uses = [use for use in context.names.uses(home, target.id) if isinstance(use.ctx, ast.Load)]
    is_whole = made.type == OPTIMIZER and all((analysis.value_at(use) or UNKNOWN) != UNKNOWN for use in uses)
    used = analysis.once("used optimizers", lambda: _used(analysis))
    return is_whole and bool(made.objects) and made.objects.isdisjoint(used)


def _used(analysis: Analysis) -> Objects:
    """The optimizers that something reads, by whatever name."""
    read = (v for n, v in analysis.values.items() if isinstance(getattr(n, "ctx", None), ast.Load))
    return frozenset(site for value in read if value.type == OPTIMIZER for site in value.objects)


def _taken_here(context: Context) -> Iterator[tuple[ast.Call, Facts, ast.Call, bool]]:
    """The calls of this file with the move and its file, and whether a function is handed or gives back what it is."""
    analysis, module = analysis_of(context.view.own), context.module
    told: set[ast.AST] = set()
    for one in all_taken(analysis):
        take, move = one.take.node, one.moves[0].node if one.moves else None
        if take in module.parents and take not in told and isinstance(take, ast.Call) and isinstance(move, ast.Call):
            told.add(take)
            is_near = move in module.parents and module.function(move) is module.function(take)
            is_open = is_given_back(context, take) or (bool(one.take.parameter) and not is_near)
            yield take, analysis.facts_of(move), move, is_open


def is_given_back(context: Context, take: ast.Call) -> bool:
    """Whether a function returns what takes the parameters: ``return SGD(…)``, ``optimizer = SGD(…)`` and later so."""
    parent, function = context.module.parents[take], context.module.function(take)
    if isinstance(parent, ast.Return) or function is None or not isinstance(parent, ast.Assign):
        return isinstance(parent, ast.Return)
    names = {target.id for target in parent.targets if isinstance(target, ast.Name)}
    given = (node.value for node in context.module.returns(function) if node.value is not None)
    return any(isinstance(part, ast.Name) and part.id in names for value in given for part in ast.walk(value))
