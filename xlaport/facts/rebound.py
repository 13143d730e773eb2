"""Names that are given the module again that they stand for: ``model = model.to(device)``."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from xlaport.facts import vocabulary as torch_api
from xlaport.facts.names import Binding, How, Names

_WRAPPERS = torch_api.MODULE_WRAPPERS - torch_api.MODULE_COPIES - {"torch.jit.script"}


@dataclass(frozen=True)
class Bound:
    """What binds a name. `methods`: those which give it its own module again elsewhere."""

    bindings: tuple[Binding, ...]
    methods: frozenset[str]
    again: bool
    """Whether the name is given its own module again, which it has to be, then."""


def bound(names: Names, name: ast.Name) -> Bound:
    """The bindings of a name, without those that give it the same module again, moved or wrapped."""
    first: list[Binding] = []
    methods: set[str] = set()
    found = names.bindings(name)
    for binding in found:
        kept = _methods(names, binding) if len(found) > 1 else None
        if kept is None:
            first.append(binding)
        else:
            methods |= kept
    return Bound(tuple(first), frozenset(methods), len(first) < len(found))


def _methods(names: Names, binding: Binding) -> set[str] | None:
    """The methods on the way from a name to itself: ``model = nn.DataParallel(model.to(device))``; None: none is."""
    node, methods = binding.value, set[str]()
    if binding.how is not How.ASSIGN or not isinstance(node, ast.Call):
        return None
    while isinstance(node, ast.Call):
        func = node.func
        if isinstance(func, ast.Attribute) and func.attr in torch_api.MODULE_KEEPING_METHODS:
            methods.add(func.attr)
            node = func.value
        elif node.args and names.resolve(func) in _WRAPPERS:
            node = node.args[0]
        else:
            return None
    return methods if isinstance(node, ast.Name) and node.id == binding.name else None
