"""Whether some files make an object: by a call of their own, or through all that contains it."""

from __future__ import annotations

import ast
from collections.abc import Collection

from xlaport.facts.module import FunctionNode
from xlaport.facts.program import Facts
from xlaport.facts.structure import CallSite, Class, Function, Structure

_MAX_SITES = 100


def made_in(structure: Structure, facts: Facts, call: ast.Call, near: Collection[Facts]) -> bool:
    """Whether one of some files holds a call, or makes or calls what runs it: ``nn.LSTM()`` of its ``Net()``."""
    seen = {CallSite(facts, call)}
    todo = [CallSite(facts, call)]
    while todo and len(seen) < _MAX_SITES:
        site = todo.pop()
        if site.facts in near:
            return True
        around = [outer for outer in _runners(structure, site) if outer not in seen]
        seen.update(around)
        todo += around
    return False


def _runners(structure: Structure, site: CallSite) -> list[CallSite]:
    """The calls that run the code that a call is in: they make its object, or call its function."""
    owner = site.facts.module.class_of(site.node)
    if owner is not None:
        made = Class(site.facts, owner)
        return [found for one in [made, *structure.derived(made)] for found in structure.made(one)]
    function = site.facts.module.function(site.node)
    return structure.calls_to(Function(site.facts, function)) if isinstance(function, FunctionNode) else []
