"""What an object of the project holds: whether a copy of it is what it is now, whatever becomes of it later.

``copy.deepcopy()`` copies numbers, texts and tensors to which no gradient comes, and objects and lists of them. It
raises for a tensor with a history and for an open file, copies a model with all of its weights, and a list of tensors
that grows gives another graph each time.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

from xlaport.analysis import value as types
from xlaport.analysis.certain import is_detached
from xlaport.analysis.definitions import Class
from xlaport.analysis.value import Device, Value, each_alternative
from xlaport.facts.program import Facts
from xlaport.facts.structure import Structure

_PLAIN = (types.NUMBER, types.TEXT, types.NONE)
_COPYING = frozenset(
    f"__{name}__"
    for name in (
        "copy", "deepcopy", "reduce", "reduce_ex", "getstate", "setstate", "getnewargs", "getnewargs_ex", "new", "del",
        "getattr", "getattribute", "setattr",
    )
)  # fmt: skip
"""Methods by which a class says itself how it is copied, or what its attributes are."""
_BY_NAME = frozenset({"builtins.setattr", "builtins.vars", "builtins.delattr"})
_DEEPEST = 8


@dataclass(frozen=True)
class Contents:
    """What an object holds that can be copied. `on_device`: tensors of the device among it."""

    on_device: bool


def contents_of(structure: Structure, facts: Facts, node: ast.expr) -> Contents | None:
    """What an object of the project holds; None for others, and where it cannot be copied, or is not known."""
    value = structure.value(facts, node)
    if value is None or not all(isinstance(one.type, Class) for one in each_alternative(value)):
        return None
    return _Looking(structure, facts).of(value)


class _Looking:
    def __init__(self, structure: Structure, facts: Facts) -> None:
        self.structure = structure
        self.analysis = structure.analysis(facts)
        self.on_device = False
        self.met: set[Class] = set()

    def of(self, value: Value) -> Contents | None:
        return Contents(self.on_device) if self._is_copied(value, 0) else None

    def _is_copied(self, value: Value, depth: int) -> bool:
        if depth > _DEEPEST:
            return False
        if value.alternatives and value.type is None:
            return all(self._is_copied(one, depth + 1) for one in value.alternatives)
        if isinstance(value.type, Class):
            return self._is_copied_object(value.type, depth)
        if value.type == types.TENSOR:
            self.on_device |= value.device is not Device.HOST
            return is_detached(value)
        if value.type in _PLAIN:
            return True
        parts = [*(value.elements or ()), *([value.element] if value.element is not None else [])]
        if value.element is not None and value.element.type == types.TENSOR:
            return False  # nobody knows how many there will be
        is_container = value.type in (types.OBJECT, None) and value.refers is None
        is_known = bool(parts) or value.elements == ()
        return is_container and is_known and all(self._is_copied(part, depth + 1) for part in parts)

    def _is_copied_object(self, kind: Class, depth: int) -> bool:
        if kind in self.met:
            return True  # it is being asked already
        self.met.add(kind)
        for each in (*kind.line(), *kind.heirs):
            is_plain = all(isinstance(b.refers, Class) or b.refers == "builtins.object" for b in each.bases)
            if not is_plain or _COPYING & each.methods.keys() or not self._is_seen(each):
                return False
            for cell in each.attributes.values():
                if cell.value is not None and not self._is_copied(self.analysis.translated(cell.value), depth + 1):
                    return False
        return all(not heir.heirs or self._is_copied_object(heir, depth + 1) for heir in kind.heirs)

    def _is_seen(self, kind: Class) -> bool:
        """Whether all that a class sets in its objects is set by its name."""
        facts = self.analysis.facts(kind.file)
        if facts is None:
            return False
        for node in ast.walk(kind.node):
            if isinstance(node, ast.Call) and facts.names.resolve(node.func) in _BY_NAME:
                return False
            if isinstance(node, ast.Attribute) and node.attr == "__dict__":
                around = facts.module.parents[node]
                if not isinstance(around, ast.keyword) or around.arg is not None:
                    return False
        return True
