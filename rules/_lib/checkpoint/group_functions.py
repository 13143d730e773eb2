"""Functions in the groups of an optimizer's parameters: state_dict() gives them, and torch.load() refuses them."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.facts.module import last_name
from xlaport.facts.names import How
from xlaport.facts.origins import Origins
from xlaport.facts.program import Facts
from xlaport.facts.structure import CallSite, Function, Structure
from xlaport.facts.vocabulary import OPTIMIZER_BASES


def in_groups(structure: Structure, facts: Facts, optimizer: ast.expr) -> list[tuple[Facts, ast.expr]]:
    """The functions of the project that an optimizer keeps beside its parameters, as the call that makes it says."""
    made = Origins(structure).of(facts, optimizer) or []
    calls = [(spot.facts, spot.node) for spot in made if isinstance(spot.node, ast.Call)]
    return [found for there, call in calls for found in _of(structure, there, call)]


def _of(structure: Structure, facts: Facts, call: ast.Call) -> Iterator[tuple[Facts, ast.expr]]:
    owner = structure.class_named(facts, call.func)
    is_own = owner is not None and structure.derives(owner, OPTIMIZER_BASES)
    if not is_own and not (facts.names.resolve(call.func) or "").startswith("torch.optim."):
        return
    if owner is not None and structure.method(owner, "state_dict") is not None:
        return
    values: list[tuple[Facts, ast.expr | None]] = [(facts, value) for value in _in_displays(call)]
    init = structure.run_by(facts, call)
    if init is not None:
        values += [structure.given(CallSite(facts, call), init, name) for name in _defaults(init)]
    for there, value in values:
        if isinstance(value, ast.Name | ast.Attribute) and structure.function_named(there, value) is not None:
            yield there, value


def _in_displays(call: ast.Call) -> Iterator[ast.expr]:
    """What stands beside the parameters of a group: ``{"params": net.parameters(), "filter": is_bias}``."""
    for node in ast.walk(call):
        if isinstance(node, ast.Dict) and any(isinstance(k, ast.Constant) and k.value == "params" for k in node.keys):
            yield from node.values


def _defaults(init: Function) -> Iterator[str]:
    """The parameters that ``super().__init__(params, defaults)`` gets in the dict of what all groups have."""
    names = init.facts.names
    for call in ast.walk(init.node):
        if not isinstance(call, ast.Call) or last_name(call.func) != "__init__":
            continue
        for argument in [*call.args, *(keyword.value for keyword in call.keywords)]:
            for value in _items(init.facts, names.assigned(argument) or argument):
                found = names.reaching(value) if isinstance(value, ast.Name) else ()
                yield from (b.name for b in found if b.how is How.PARAMETER)


def _items(facts: Facts, node: ast.expr) -> list[ast.expr]:
    """The values of a dict that is written out."""
    if isinstance(node, ast.Dict):
        return node.values
    if isinstance(node, ast.Call) and facts.names.resolve(node.func) == "builtins.dict":
        return [keyword.value for keyword in node.keywords]
    return []
