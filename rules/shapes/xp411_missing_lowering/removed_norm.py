"""Weight norms that are gone before anything runs: every object of the class loses them right after it is made."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.facts.module import FunctionNode
from xlaport.facts.program import Facts
from xlaport.facts.structure import CallSite, Class, Structure
from xlaport.facts.vocabulary import MODULE_KEEPING_METHODS

_REMOVING = frozenset(
    f"torch.nn.utils.{name}"
    for name in (
        "remove_weight_norm remove_spectral_norm weight_norm.remove_weight_norm spectral_norm.remove_spectral_norm "
        "parametrize.remove_parametrizations"
    ).split()
)
_PREPARING = frozenset(
    {*MODULE_KEEPING_METHODS, "load_state_dict", "state_dict", "parameters", "named_parameters", "apply", "modules"}
)
"""Methods of a module that compute nothing with it."""


def is_removed(context: Context, node: ast.AST) -> bool:
    """Whether a norm is put on in a class whose objects all lose it before they compute anything."""
    owner = context.module.class_of(node)
    return owner is not None and _Removals(context.flow.structure).of(Class(context.view.own, owner))


class _Removals:
    def __init__(self, structure: Structure) -> None:
        self.structure = structure
        self._open: set[Class] = set()

    def of(self, owner: Class) -> bool:
        """Whether each object of a class, and of those derived from it, loses its norms; not where there is none."""
        if owner in self._open:
            return False
        self._open.add(owner)
        try:
            sites = [s for each in (owner, *self.structure.derived(owner)) for s in self.structure.made(each)]
            names = self._removers(owner)
            return bool(sites and names) and all(self._is_removed(s, names) for s in sites)
        finally:
            self._open.discard(owner)

    def _removers(self, owner: Class) -> set[str]:
        """The methods of a class that take norms off."""
        return {
            method.name
            for base in self.structure.bases(owner)
            for method in base.node.body
            if isinstance(method, FunctionNode) and method.name != "__init__" and _takes_off(base.facts, method)
        }

    def _is_removed(self, site: CallSite, names: set[str]) -> bool:
        """Whether one object loses its norms: as a part of a module that does, or by the statements behind it."""
        facts = site.facts
        around = facts.module.class_of(site.node)
        if around is not None and self.structure.is_module(Class(facts, around)):
            outer = Class(facts, around)
            calls = (n for n in ast.walk(around) if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute))
            return any(isinstance(c.func, ast.Attribute) and c.func.attr in names for c in calls) and self.of(outer)
        made: ast.AST = facts.module.parents[site.node]
        while isinstance(made, ast.Attribute) and made.attr in MODULE_KEEPING_METHODS:
            made = facts.module.parents[facts.module.parents[made]]
        if not isinstance(made, ast.Assign) or len(made.targets) != 1:
            return False
        target = made.targets[0]
        return isinstance(target, ast.Name | ast.Attribute) and _is_taken_off_behind(facts, made, target, names)


def _takes_off(facts: Facts, method: FunctionNode) -> bool:
    for call in ast.walk(method):
        if isinstance(call, ast.Call):
            if facts.names.resolve(call.func) in _REMOVING:
                return True
            # `for block in self.blocks: block.remove_weight_norm()`
            if isinstance(call.func, ast.Attribute) and call.func.attr == method.name:
                return True
    return False


def _is_taken_off_behind(facts: Facts, made: ast.stmt, target: ast.expr, names: set[str]) -> bool:
    """Whether a later statement of the same block takes the norms off, and none before it has the object compute."""
    name, block = ast.unparse(target), facts.module.block(made)
    for statement in block[block.index(made) + 1 :]:
        for node in ast.walk(statement):
            if type(node) is not type(target) or not isinstance(node, ast.expr) or ast.unparse(node) != name:
                continue
            if isinstance(getattr(node, "ctx", None), ast.Store):
                continue
            method = facts.module.parents[node]
            if not isinstance(method, ast.Attribute) or not isinstance(facts.module.parents[method], ast.Call):
                return False
            if method.attr in names and isinstance(statement, ast.Expr | ast.Assign):
                return True
            if method.attr not in _PREPARING:
                return False
    return False
