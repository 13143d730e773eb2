"""Loops whose steps run on the host, while other code of the project uses a device."""

from __future__ import annotations

import ast

from xlaport.facts.host_code import host_code_of
from xlaport.facts.program import Facts
from xlaport.facts.roles import Role, roles_of
from xlaport.facts.step_loop import LoopKind, StepLoop
from xlaport.facts.structure import structure_of
from xlaport.facts.unmoved import is_unmoved, leaves_it, speaks


def runs_on_host(facts: Facts, loop: StepLoop) -> bool:
    """Whether the program keeps a loop on the host, or what the loop trains was never moved from there."""
    return host_code_of(facts).runs(loop.node) or facts.once(
        ("host loop", loop.node), lambda: _trains_there(facts, loop)
    )


def _trains_there(facts: Facts, loop: StepLoop) -> bool:
    """Whether a loop trains a model that lies on the host, and so does all that the model gets."""
    model = _trained(facts, loop.evidence) if loop.kind is LoopKind.TRAIN else None
    home = facts.names.home(model) if model is not None else None
    if model is None or home is None or speaks(loop.node):
        return False
    inside = [u for u in facts.names.uses(home, model.id) if loop.node in facts.module.ancestors(u)]
    structure = structure_of(facts.view)
    return any(leaves_it(structure, facts, use) and is_unmoved(structure, facts, use) for use in inside)


def _trained(facts: Facts, step: ast.AST) -> ast.Name | None:
    """``net`` of ``optimizer.step()`` after ``optimizer = Adam(net.parameters(), lr=0.001)``."""
    func = step.func if isinstance(step, ast.Call) else None
    made = facts.names.assigned(func.value) if isinstance(func, ast.Attribute) else None
    match made:
        case ast.Call(args=[ast.Call(func=ast.Attribute(value=ast.Name() as model, attr="parameters")), *_]):
            return model if roles_of(facts).is_(made, Role.OPTIMIZER) else None
    return None
