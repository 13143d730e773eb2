"""The classes whose objects hold an object of another class, and the moves of any of them, in all files."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from xlaport.context import Context
from xlaport.facts.program import Facts
from xlaport.facts.structure import Class, Function, Structure

from .instances import Instance, instances_of, possible_instances
from .moved_objects import Moved, moved_objects

_MAX_USERS = 25
"""If more files use a class, only those are looked at that are seen to make an object of it."""


@dataclass(frozen=True)
class OutsideMove:
    """The move of an object by code that is no part of its class."""

    facts: Facts
    moved: Moved
    instance: Instance


def holders(structure: Structure, owner: Class) -> tuple[list[Class], list[Facts]]:
    """A class, what derives from it, what makes an object of one of them as a part; and the files that make one."""
    files = {owner.facts: None}
    classes = [owner]
    graph = structure.view.program.graph
    users = [] if structure.view.is_alone else graph.users(owner.facts.file, owner.node.name)
    for file in users if len(users) <= _MAX_USERS else ():
        facts = structure.view.facts(file)
        files |= {facts: None} if facts is not None else {}
    for current in classes:
        for site in structure.made(current):
            files[site.facts] = None
            around = site.facts.module.class_of(site.node)
            if around is not None and Class(site.facts, around) not in classes:
                classes.append(Class(site.facts, around))
            function = site.facts.module.function(site.node)
            if function is not None:
                files |= dict.fromkeys(s.facts for s in structure.calls_to(Function(site.facts, function)))
        for facts, node in _derived(structure, current):
            if Class(facts, node) not in classes:
                classes.append(Class(facts, node))
    return classes, list(files)


def _derived(structure: Structure, owner: Class) -> Iterator[tuple[Facts, ast.ClassDef]]:
    for node in owner.facts.module.nodes:
        if isinstance(node, ast.ClassDef) and owner.node in (owner.facts.names.class_named(b) for b in node.bases):
            yield owner.facts, node
    for facts, use in structure.references(owner.facts, owner.node.name):
        derived = facts.module.parents[use]
        if isinstance(derived, ast.ClassDef):
            yield facts, derived


def outside_moves(context: Context, owner: Class, possible: bool = False) -> Iterator[OutsideMove]:
    """The moves of objects of a class, and of what holds one; with `possible`, also of what may be another object."""
    search = possible_instances if possible else instances_of
    classes, files = holders(context.flow.structure, owner)
    for facts in files:
        for moved in moved_objects(context.of(facts)):
            for found in search(context, facts, moved.base):
                if found.owner in classes:
                    yield OutsideMove(facts, moved, found)
