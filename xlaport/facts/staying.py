"""Modules that move their parts to the device, and not themselves: a trainer that counts its steps in a buffer."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.facts.lineage import Class
from xlaport.facts.module import last_name
from xlaport.facts.program import Facts
from xlaport.facts.structure import Structure
from xlaport.facts.vocabulary import MOVING_METHODS, PREPARING


def stays_itself(structure: Structure, owner: Class) -> bool:
    """Whether a module moves parts of itself, and nothing moves it as a whole: its buffers stay where they are made."""
    lineage = structure.bases(owner)
    if structure.method(owner, "forward") is not None or not any(_moves_a_part(base) for base in lineage):
        return False
    if any(structure.uses_of_method(owner, method) for method in MOVING_METHODS):
        return False
    sites = structure.made(owner)
    if any(_is_part_of_another(structure, site.facts, site.node) for site in sites):
        return False
    files = dict.fromkeys([*(base.facts for base in lineage), *(site.facts for site in sites)])
    return not any(
        structure.is_related(found, owner)
        for facts in files
        for argument in _prepared(facts, facts.module.tree)
        for found in structure.instances_of(facts, argument)
    )


def _moves_a_part(owner: Class) -> bool:
    """``self.net.to(device)`` as a statement, which does nothing to a tensor, and ``prepare(self.net)``."""
    names = owner.facts.names
    moved = [
        node.value.func.value
        for node in ast.walk(owner.node)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
        if isinstance(node.value.func, ast.Attribute) and node.value.func.attr in MOVING_METHODS
    ]
    return any(
        isinstance(part, ast.Attribute)
        and isinstance(part.value, ast.Name)
        and names.self_class(part.value) is not None
        for part in [*moved, *_prepared(owner.facts, owner.node)]
    )


def _prepared(facts: Facts, around: ast.AST) -> Iterator[ast.expr]:
    """What is given to a function that moves what it gets: ``accelerator.prepare(net, optimizer)``."""
    for call in facts.module.calls:
        inside = around is facts.module.tree or around in facts.module.ancestors(call)
        if inside and last_name(call.func) in PREPARING:
            yield from call.args


def _is_part_of_another(structure: Structure, facts: Facts, made: ast.Call) -> bool:
    """Whether another module makes it, and it moves with that."""
    around = facts.module.class_of(made)
    return around is not None and structure.is_module(Class(facts, around))
