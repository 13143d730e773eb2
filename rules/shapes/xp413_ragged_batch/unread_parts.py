"""Whether a part of each batch is read by no loop over its loaders: then no graph is as long as it is."""

from __future__ import annotations

import ast
from typing import NamedTuple

from xlaport.context import Context
from xlaport.facts.collating import Collating
from xlaport.facts.derived import Derived
from xlaport.facts.loaders import loaders_of
from xlaport.facts.module import FunctionNode
from xlaport.facts.program import Facts
from xlaport.facts.structure import Function, Structure

_MAX_DEPTH = 6


class _Part(NamedTuple):
    """What a function gives at one place of the tuples of some size that it returns."""

    function: Function
    place: int
    size: int


def is_read_by_none(context: Context, length: ast.expr) -> bool:
    """Whether all that is made as long as a length is known to be left unread by the loops over the batches."""
    parts = _parts(context.flow.structure, context.view.own, length, 0)
    return bool(parts) and all(part is not None and _is_left(context.flow.structure, part) for part in parts)


def _parts(structure: Structure, facts: Facts, made: ast.expr, depth: int) -> list[_Part | None]:
    """The parts of what functions return that are made of an expression; None where that is out of sight."""
    function = facts.module.function(made)
    if not isinstance(function, FunctionNode) or depth > _MAX_DEPTH:
        return [None]
    derived, found = Derived(facts, made), list[_Part | None]()
    for value in (returned.value for returned in facts.module.returns(function)):
        if value is None or not derived.has(value):
            continue
        if isinstance(value, ast.Tuple):
            size = len(value.elts)
            here = Function(facts, function)
            found += [_Part(here, place, size) for place, part in enumerate(value.elts) if derived.has(part)]
        else:
            calls = structure.calls_to(Function(facts, function))
            found += [part for call in calls for part in _parts(structure, call.facts, call.node, depth + 1)] or [None]
    return found


def _is_left(structure: Structure, part: _Part) -> bool:
    """Whether each loop over the loaders of a function takes its tuples apart, and uses nothing of that part."""
    facts = part.function.facts
    made = {site.node for site in Collating(structure).all_of(facts, part.function.node)}
    targets = [
        (there, loop.target)
        for there in structure.analysis(facts).files()
        for loop in there.module.of_type(ast.For, ast.AsyncFor)
        if any(loader.node in made for loader in loaders_of(structure, there, loop.target))
    ]
    return bool(targets) and all(_is_unread(there, target, part) for there, target in targets)


def _is_unread(facts: Facts, target: ast.expr, part: _Part) -> bool:
    taken = [n.elts for n in ast.walk(target) if isinstance(n, ast.Tuple) and len(n.elts) == part.size]
    elements = [elements[part.place] for elements in taken]
    return bool(elements) and all(isinstance(e, ast.Name) and not facts.names.uses_of(e) for e in elements[-1:])
