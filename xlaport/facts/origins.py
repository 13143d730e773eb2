"""Where a value comes from: the expressions that may have made it, through names, calls and classes of all files."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from xlaport.facts.names import Binding, How
from xlaport.facts.program import Facts
from xlaport.facts.role import is_none
from xlaport.facts.spot import Spot
from xlaport.facts.structure import CallSite, Class, Function, Structure

_MAX_DEPTH = 10

Found = list[Spot] | None
"""None: some of the ways cannot be followed."""


class Origins:
    """Follows values backwards. Ask `of`."""

    def __init__(self, structure: Structure) -> None:
        self.structure = structure

    def of(self, facts: Facts, node: ast.expr) -> Found:
        """The expressions that an expression's value may come from; None unless all of them are known."""
        found = self._of(facts, node, 0)
        if found is None:  # through a dict, a namespace, a partial …
            found = [Spot(site.facts, site.node) for site in self.structure.made_at(facts, node)] or None
        return found

    def _of(self, facts: Facts, node: ast.expr, depth: int) -> Found:
        if depth > _MAX_DEPTH:
            return None
        if isinstance(node, ast.IfExp):
            return _joined(self._of(facts, branch, depth + 1) for branch in (node.body, node.orelse))
        if isinstance(node, ast.Name):
            return self._name(facts, node, depth + 1)
        if isinstance(node, ast.Attribute):
            return self._attribute(facts, node, depth + 1)
        if isinstance(node, ast.Subscript):
            return self._item(facts, node.value, depth + 1)
        if isinstance(node, ast.Call):
            function = self._function(facts, node)
            if function is not None:
                return self._returned(function, None, depth + 1)
        return [Spot(facts, node)]

    # -- names -----------------------------------------------------------------------------------------

    def _name(self, facts: Facts, node: ast.Name, depth: int) -> Found:
        bindings = facts.names.reaching(node)
        if bindings and all(binding.how is How.IMPORT for binding in bindings):
            return self._imported(facts, node, depth)
        return _joined(self._bound(facts, binding, depth) for binding in bindings) if bindings else None

    def _imported(self, facts: Facts, node: ast.expr, depth: int) -> Found:
        place = self.structure.place(facts, node)
        other = self.structure.view.facts(place.file) if place is not None and not place.rest else None
        if place is None or other is None or other is facts:
            return None
        bindings = other.names.root.bindings.get(place.name or "", [])
        return _joined(self._bound(other, binding, depth) for binding in bindings) if bindings else None

    def _bound(self, facts: Facts, binding: Binding, depth: int) -> Found:
        if depth > _MAX_DEPTH:
            return None
        if binding.how is How.ASSIGN and binding.value is not None:
            return self._of(facts, binding.value, depth)
        if binding.how is How.UNPACK and binding.value is not None:
            return self._element(facts, binding.value, binding.index, depth)
        if binding.how is How.PARAMETER:
            return self._passed(facts, binding, depth)
        return None

    def _element(self, facts: Facts, value: ast.expr, index: int | None, depth: int) -> Found:
        """One element of ``a, b = f()``."""
        if index is None or depth > _MAX_DEPTH:
            return None
        if isinstance(value, ast.Tuple | ast.List):
            fits = index < len(value.elts) and not any(isinstance(e, ast.Starred) for e in value.elts)
            return self._of(facts, value.elts[index], depth + 1) if fits else None
        if not isinstance(value, ast.Call):
            return None
        function = self._function(facts, value)
        # What a library gives is the call itself, whichever part of it this is.
        return self._returned(function, index, depth + 1) if function is not None else [Spot(facts, value)]

    # -- functions -------------------------------------------------------------------------------------

    def _function(self, facts: Facts, call: ast.Call) -> Function | None:
        if self.structure.class_named(facts, call.func) is not None:
            return None
        return self.structure.run_by(facts, call)

    def _returned(self, function: Function, index: int | None, depth: int) -> Found:
        module = function.facts.module
        if module.yields(function.node):
            return None
        values = [n.value for n in module.returns(function.node) if n.value is not None]
        if not values:
            return None
        if index is None:
            return _joined(self._of(function.facts, value, depth + 1) for value in values)
        return _joined(self._element(function.facts, value, index, depth + 1) for value in values)

    def _passed(self, facts: Facts, binding: Binding, depth: int) -> Found:
        """What the calls of a function pass, if all of them are in sight."""
        node = facts.module.function_of(binding.node)
        if node is None:
            return None
        function = Function(facts, node)
        sites = self.structure.calls_to(function)
        if not sites or self._is_handed_on(function, sites):
            return None
        found: list[Found] = []
        for site in sites:
            there, value = self.structure.given(site, function, binding.name)
            found.append(self._of(there, value, depth + 1) if value is not None else None)
        return _joined(found)

    def _is_handed_on(self, function: Function, sites: list[CallSite]) -> bool:
        """Whether a function is used as a value, so that some of its calls are out of sight."""
        facts, node = function.facts, function.node
        if isinstance(facts.module.parents[node], ast.ClassDef):
            return False
        called = {site.node.func for site in sites}
        own: list[ast.expr] = [*facts.names.uses(facts.names.scope(node), node.name)]
        others = [use for _, use in self.structure.references(facts, node.name)]
        return any(use not in called for use in [*own, *others])

    # -- objects ---------------------------------------------------------------------------------------

    def _attribute(self, facts: Facts, node: ast.Attribute, depth: int) -> Found:
        owner = self.structure.instance_of(facts, node.value)
        if owner is None:
            return self._imported(facts, node, depth) if facts.names.resolve(node) is not None else [Spot(facts, node)]
        owners = self.structure.bases(owner)
        values = self._assigned(owners, node.attr) or self._assigned(self.structure.derived(owner), node.attr)
        if not values:
            return None
        return _joined(self._of(there, value, depth + 1) if value is not None else None for there, value in values)

    def _assigned(self, owners: Iterable[Class], name: str) -> list[tuple[Facts, ast.expr | None]]:
        return [(facts, value) for facts, value in self.structure.assigned(owners, name) if not is_none(value)]

    def _item(self, facts: Facts, container: ast.expr, depth: int) -> Found:
        """Any item of a list or dict that is displayed whole: ``{x: DataLoader(…) for x in phases}``."""
        places = self._of(facts, container, depth)
        if places is None:
            return None
        found: list[Found] = []
        for place in places:
            values = _displayed(place.node)
            found.append(_joined(self._of(place.facts, v, depth + 1) for v in values) if values else None)
        return _joined(found)


def _displayed(node: ast.expr) -> list[ast.expr]:
    if isinstance(node, ast.DictComp):
        return [node.value]
    if isinstance(node, ast.ListComp):
        return [node.elt]
    if isinstance(node, ast.Dict):
        return list(node.values)
    return list(node.elts) if isinstance(node, ast.List | ast.Tuple) else []


def _joined(found: Iterable[Found]) -> Found:
    result: dict[tuple[int, int], Spot] = {}
    for part in found:
        if part is None:
            return None
        result.update(((id(spot.facts), id(spot.node)), spot) for spot in part)
    return list(result.values())
