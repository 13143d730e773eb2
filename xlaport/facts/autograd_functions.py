"""Where functions of one's own with a backward pass (``torch.autograd.Function``) are applied."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.facts.program import Facts
from xlaport.facts.structure import Structure


def applications(structure: Structure, facts: Facts, owner: ast.ClassDef) -> Iterator[tuple[Facts, ast.Call]]:
    """The calls that apply a function: ``Scale.apply(x)``, and ``scale(x)`` behind ``scale = Scale.apply``."""
    own = [(facts, use) for use in facts.names.uses(facts.names.scope(owner), owner.name)]
    for there, use in [*own, *structure.references(facts, owner.name)]:
        apply = there.module.parents[use]
        if not isinstance(apply, ast.Attribute) or apply.attr != "apply":
            continue
        parent = there.module.parents[apply]
        if isinstance(parent, ast.Call) and parent.func is apply:
            yield there, parent
        elif isinstance(parent, ast.Assign) and len(parent.targets) == 1:
            for name in there.names.uses_of(parent.targets[0]):
                call = there.module.parents[name]
                if isinstance(call, ast.Call) and call.func is name:
                    yield there, call
