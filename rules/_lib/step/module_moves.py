"""The moves of the objects of a class, and of what holds one, in all files."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.analysis.analysis import Analysis
from xlaport.analysis.definitions import Class
from xlaport.analysis.events import Event, Kind, Objects, objects_of
from xlaport.analysis.of_file import analysis_of
from xlaport.analysis.order import executed, whole
from xlaport.analysis.staying import related
from xlaport.analysis.value import UNKNOWN, Definition, Site
from xlaport.context import Context
from xlaport.facts.program import Facts


def module_moves(context: Context, owner: ast.ClassDef) -> Iterator[tuple[Facts, ast.Call]]:
    """The moves of objects of a class of this file, of what derives from it, and of what holds one of these.

    That an annotation says so is enough.
    """
    analysis = analysis_of(context.view.own)
    kind = analysis.class_at(owner)
    kinds = set(_heirs(kind)) if kind is not None else set()
    made = frozenset[Site]().union(*(_made(analysis, each) for each in kinds))
    for event in _moves(analysis) if kinds else ():
        moved = {site._replace(turn="") for site in whole(event.objects, analysis.parts)}
        if isinstance(event.node, ast.Call) and (not moved.isdisjoint(made) or _type_of(analysis, event) in kinds):
            yield analysis.facts_of(event.node), event.node


def is_made(context: Context, owner: ast.ClassDef) -> bool:
    """Whether a file makes an object of a class of this file, or of what derives from it."""
    analysis = analysis_of(context.view.own)
    kind = analysis.class_at(owner)
    return kind is not None and any(analysis.sites(each) for each in _heirs(kind))


def _type_of(analysis: Analysis, move: Event) -> Definition | str | None:
    """What an expression that moves is known to be, without that anybody has seen it made."""
    moved = (
        move.node.func.value if isinstance(move.node, ast.Call) and isinstance(move.node.func, ast.Attribute) else None
    )
    return (analysis.value_at(moved) or UNKNOWN).type if moved is not None else None


def is_moved(context: Context, module: ast.expr) -> bool:
    """Whether something moves a module, as itself or as a part of another one."""
    analysis = analysis_of(context.view.own)
    objects = objects_of(analysis.value_at(module) or UNKNOWN)
    return bool(objects) and any(objects <= whole(event.objects, analysis.parts) for event in _moves(analysis))


def _moves(analysis: Analysis) -> list[Event]:
    def found() -> list[Event]:
        entrances = (one for one in analysis.entrances() if Kind.MOVE in analysis.done.get(one, ()))
        return [event for one in entrances for event in executed(one, analysis) if event.kind is Kind.MOVE]

    return analysis.once(module_moves, found)


def _made(analysis: Analysis, kind: Class) -> Objects:
    """The objects that are made of a class."""
    return frozenset(Site.of(caller.file, call) for call, caller in analysis.sites(kind).items())


def _heirs(owner: Class) -> Iterator[Class]:
    """A class, and those that derive from it."""
    yield owner
    yield from (kind for kind in related(owner) if owner in kind.line())
