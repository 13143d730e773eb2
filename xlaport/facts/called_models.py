"""The classes of the model that a call runs, as what wraps it on the way there leaves them."""

from __future__ import annotations

import ast

from xlaport.facts import vocabulary as torch_api
from xlaport.facts.module import last_name
from xlaport.facts.names import Binding, How
from xlaport.facts.passed import passed
from xlaport.facts.program import Facts
from xlaport.facts.role import is_none
from xlaport.facts.structure import Class, Function, Structure

_MAX_DEPTH = 10


class CalledModels:
    """Follows what is called to the places that make it. Ask `forwards`."""

    def __init__(self, structure: Structure) -> None:
        self.structure = structure
        self._seen: set[Binding] = set()

    def forwards(self, facts: Facts, model: ast.expr) -> list[Function]:
        """The ``forward()`` of each class that the model may be of; none where one of them is not known."""
        self._seen.clear()
        owners = self._classes(facts, model, 0)
        found = [self.structure.method(o, "forward") if self.structure.is_module(o) else None for o in owners or ()]
        known = [function for function in found if function is not None]
        return known if len(known) == len(found) else []

    def _classes(self, facts: Facts, node: ast.expr, depth: int) -> list[Class] | None:
        """The classes; None where there may be others."""
        if depth > _MAX_DEPTH:
            return None
        if isinstance(node, ast.Call):
            func = node.func
            if facts.names.resolve(func) in torch_api.MODULE_WRAPPERS and node.args:
                return self._classes(facts, node.args[0], depth + 1)
            if isinstance(func, ast.Attribute) and func.attr in torch_api.MODULE_KEEPING_METHODS:
                return self._classes(facts, func.value, depth + 1)
        if isinstance(node, ast.Name) and facts.names.self_class(node) is None:
            return self._named(facts, node, depth)
        found = self.structure.instances_of(facts, node)
        return list(found) or None

    def _named(self, facts: Facts, node: ast.Name, depth: int) -> list[Class] | None:
        found: dict[Class, None] = {}
        reaching = [b for b in facts.names.reaching(node) if not is_none(b.value)]
        if any(binding.how is How.IMPORT for binding in reaching):
            return list(self.structure.instances_of(facts, node)) or None
        for binding in reaching:
            if binding in self._seen:
                continue  # it is being asked already: `model = wrap(model)`
            self._seen.add(binding)
            owners = self._bound(facts, binding, depth)
            if owners is None:
                return None
            found |= dict.fromkeys(owners)
        return list(found) if reaching else None

    def _bound(self, facts: Facts, binding: Binding, depth: int) -> list[Class] | None:
        value = binding.value
        if binding.how is How.ASSIGN and value is not None:
            return self._classes(facts, value, depth + 1)
        if binding.how is How.UNPACK and isinstance(value, ast.Call) and binding.index is not None:
            kept = last_name(value.func) in torch_api.PREPARING and binding.index < len(value.args)
            return self._classes(facts, value.args[binding.index], depth + 1) if kept else None
        if binding.how is How.PARAMETER:
            return self._passed(facts, binding, depth)
        return None

    def _passed(self, facts: Facts, binding: Binding, depth: int) -> list[Class] | None:
        """The classes of what all calls of a function pass."""
        found: dict[Class, None] = {}
        given = passed(self.structure, facts, binding)
        for there, value in given:
            owners = self._classes(there, value, depth + 1) if value is not None else None
            if owners is None:
                return None
            found |= dict.fromkeys(owners)
        return list(found) if given else None
