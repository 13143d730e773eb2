"""Where else a function is named than in calls of it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.roles import roles_of
from xlaport.facts.structure import Class, Function

from .refused import Refused


def mentions(context: Context, function: Function) -> Iterator[ast.expr]:
    """The expressions that may stand for a function."""
    structure, own = context.flow.structure, context.view.own
    parent = context.module.parents[function.node]
    name = function.node.name
    if not isinstance(parent, ast.ClassDef):
        yield from context.names.uses(context.names.scope(function.node), name)
        yield from (use for _, use in structure.references(own, name))
        return
    owner = Class(own, parent)
    if structure.overrides(function) or any(
        structure.method(base, name) is not None for base in structure.bases(owner)[1:]
    ):
        raise Refused("other classes have a method of that name", function.node)
    for facts in structure.files_with(owner, name):
        for node in facts.loads.get(name, []):
            instance = structure.instance_of(facts, node.value)
            if instance is None and roles_of(facts).role(node.value) is not None:
                continue  # `optimizer.step`
            if instance is None or structure.is_related(instance, owner):
                yield node
