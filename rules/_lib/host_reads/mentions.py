"""Where else a function is named than in calls of it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.names import How
from xlaport.facts.program import Facts
from xlaport.facts.roles import roles_of
from xlaport.facts.structure import Class, Function

from .refused import Refused

_FOREIGN = ("tqdm.", "rich.", "collections.", "argparse.", "numpy.", "pandas.")


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
            if instance is None and (roles_of(facts).role(node.value) is not None or _is_foreign(facts, node.value)):
                continue  # `optimizer.step`, `bar.update`
            if instance is None or structure.is_related(instance, owner):
                yield node


def _is_foreign(facts: Facts, node: ast.expr) -> bool:
    """Whether a name always stands for what a package makes that makes none of the project's classes."""
    found = facts.names.reaching(node) if isinstance(node, ast.Name) else ()
    made = [binding.value for binding in found if binding.how in (How.ASSIGN, How.WITH)]
    calls = [value for value in made if isinstance(value, ast.Call)]
    names = [facts.names.resolve(call.func) or "" for call in calls]
    return 0 < len(calls) == len(found) and all(name.startswith(_FOREIGN) for name in names)
