"""What the attributes of a module hold: layers, parameters, containers of both, objects of the project's classes."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from xlaport.facts import vocabulary as torch_api
from xlaport.facts.program import Facts
from xlaport.facts.structure import Class, Structure

from .instances import stripped

_MAX_DEPTH = 6
_STEP = re.compile(r"\.(\w+)|\[([^\]]*)\]")
_CONTAINERS = frozenset(
    f"torch.nn.{name}" for name in ("Sequential", "ModuleList", "ModuleDict", "ParameterList", "ParameterDict")
)


class Parts:
    """Looks into modules, by the ways that lead through them: ``.transformer.wte``."""

    def __init__(self, structure: Structure) -> None:
        self.structure = structure

    def calls_in(self, facts: Facts, value: ast.expr) -> Iterator[tuple[str, ast.Call, bool]]:
        """The calls whose results a value holds, with the way to each, and whether there are several of its kind."""
        value = stripped(value)
        if isinstance(value, ast.ListComp) and isinstance(value.elt, ast.Call):
            yield "[…]", value.elt, True
        if isinstance(value, ast.List | ast.Tuple):
            for index, element in enumerate(value.elts):
                for way, call, several in self.calls_in(facts, element):
                    yield f"[{index}]{way}", call, several
        for key, element in _items(value):
            for way, call, several in self.calls_in(facts, element):
                yield f".{key}{way}", call, several
        if not isinstance(value, ast.Call):
            return
        name = facts.names.resolve(value.func)
        if name == "torch.nn.Sequential":
            for index, element in enumerate(value.args):
                for way, call, several in self.calls_in(facts, element):
                    yield f"[{index}]{way}", call, several
        elif name in _CONTAINERS:
            for element in value.args[:1]:
                yield from self.calls_in(facts, element)
        elif not _items(value):
            yield "", value, False

    def is_parameter(self, owner: Class, way: str) -> bool:
        """Whether a way leads to what is seen to be a parameter."""
        return "torch.nn.Parameter" in self._kinds(owner, _steps(way), 0)

    def is_layer(self, owner: Class, way: str) -> bool:
        """Whether a way leads to a layer of PyTorch."""
        kinds = self._kinds(owner, _steps(way), 0) - {"torch.nn.Parameter", *torch_api.MODULE_BASES}
        return any(kind.startswith("torch.nn.") for kind in kinds)

    def is_kept_by_class(self, owner: Class, name: str) -> bool:
        """Whether an attribute is one of the class itself, for all of its objects: no module moves it."""
        bases = self.structure.bases(owner)
        scopes = [base.facts.names.scope_of(base.node) for base in bases]
        return any(scope is not None and name in scope.bindings for scope in scopes) and not any(
            isinstance(node.ctx, ast.Store)
            and isinstance(node.value, ast.Name)
            and base.facts.names.self_class(node.value) is base.node
            for base in bases
            for node in base.facts.module.attributes.get(name, [])
        )

    def _kinds(self, owner: Class, steps: list[str], depth: int) -> set[str]:
        """The qualified names of what makes the things at the end of a way; of a class, those of its bases."""
        if depth > _MAX_DEPTH:
            return set()
        if not steps:
            return {base.facts.names.resolve(n) or "" for base in self.structure.bases(owner) for n in base.node.bases}
        found: set[str] = set()
        for facts, value in self.structure.assigned(self.structure.bases(owner), steps[0]):
            if value is not None:
                found |= self._made(facts, value, steps[1:], depth)
        return found

    def _made(self, facts: Facts, value: ast.expr, steps: list[str], depth: int) -> set[str]:
        found: set[str] = set()
        for way, call, _ in self.calls_in(facts, value):
            inner = _steps(way)
            if inner != steps[: len(inner)]:
                continue
            rest = steps[len(inner) :]
            owner = self.structure.class_named(facts, call.func)
            if owner is not None:
                found |= self._kinds(owner, rest, depth + 1)
            elif not rest:
                name = facts.names.resolve(call.func) or ""
                found.add("torch.nn.Parameter" if name in torch_api.PARAMETERS else name)
        return found


def _items(value: ast.expr) -> list[tuple[str, ast.expr]]:
    """The items of a dict that is written out."""
    if isinstance(value, ast.Dict):
        pairs = zip(value.keys, value.values, strict=True)
        return [(k.value, v) for k, v in pairs if isinstance(k, ast.Constant) and isinstance(k.value, str)]
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id in ("dict", "OrderedDict"):
        return [(k.arg, k.value) for k in value.keywords if k.arg is not None]
    return []


def _steps(way: str) -> list[str]:
    return [attribute or index for attribute, index in _STEP.findall(way)]
