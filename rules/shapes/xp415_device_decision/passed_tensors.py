"""Where the tensor of a parameter lies, as the calls of its function say, also through a function that hands it on."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from xlaport.context import Context
from xlaport.facts.names import Binding, How
from xlaport.facts.program import Facts
from xlaport.facts.role import ANNOTATED, Role
from xlaport.facts.roles import roles_of
from xlaport.facts.structure import CallSite, Function
from xlaport.facts.trials import is_test

_MAX_DEPTH = 2
_MAX_NAMES = 4


@dataclass
class Passed:
    """The calls that pass a tensor for a parameter: those of the host, and how many others there are."""

    name: str
    of_host: list[CallSite] = field(default_factory=list)
    of_device: int = 0
    unknown: int = 0

    def is_on_host(self) -> bool:
        """Whether every call passes a tensor of the host."""
        return bool(self.of_host) and not self.of_device and not self.unknown

    def is_in_doubt(self) -> bool:
        """Whether some calls pass tensors of the host, and none is known to pass another."""
        return bool(self.of_host) and not self.of_device


def passed(context: Context, tensor: ast.expr) -> Passed | None:
    """What the calls of a function pass for the parameter that an expression is computed from; None for others."""
    facts = context.view.own
    found = {
        parameter
        for node in ast.walk(tensor)
        if isinstance(node, ast.Name) and context.roles.is_(node, Role.TENSOR)
        for parameter in _parameters(facts, node, 0)
    }
    if len(found) != 1:
        return None
    (parameter,) = found
    function = facts.module.function_of(parameter.node) if parameter is not None else None
    if parameter is None or function is None or function.name == "forward":
        return None
    result = Passed(parameter.name)
    _collect(context, Function(facts, function), parameter.name, result, 0)
    return result


def _collect(context: Context, function: Function, name: str, result: Passed, depth: int) -> None:
    structure = context.flow.structure
    for site in structure.calls_to(function):
        if is_test(site.facts) and not is_test(function.facts):
            continue
        facts, value = structure.given(site, function, name)
        fact = roles_of(facts).of(value) if value is not None else None
        outer = _only_parameter(facts, value) if value is not None and depth < _MAX_DEPTH else None
        around = facts.module.function_of(outer.node) if outer is not None else None
        if (fact is not None and fact.role is Role.HOST_TENSOR) or (value is not None and _is_fetched(facts, value, 0)):
            result.of_host.append(site)
        elif outer is not None and around is not None and around.name != "forward":
            _collect(context, Function(facts, around), outer.name, result, depth + 1)
        elif fact is not None and fact.role is Role.TENSOR and ANNOTATED not in fact.because:
            result.of_device += 1
        else:
            result.unknown += 1


def _is_fetched(facts: Facts, node: ast.expr, depth: int) -> bool:
    """Whether a value, or what it is a part of, came by ``.cpu()``, whatever it is."""
    if depth > _MAX_NAMES:
        return False
    if isinstance(node, ast.Subscript):
        return _is_fetched(facts, node.value, depth)
    if isinstance(node, ast.Name):
        found = [b for b in facts.names.reaching(node) if b.how in (How.ASSIGN, How.FOR)]
        values = [b.value for b in found if b.value is not None]
        return bool(values) and all(_is_fetched(facts, value, depth + 1) for value in values)
    if not isinstance(node, ast.Call):
        return False
    if facts.names.resolve(node.func) == "builtins.enumerate" and node.args:
        return _is_fetched(facts, node.args[0], depth)
    func = node.func
    if not isinstance(func, ast.Attribute) or func.attr in ("to", "cuda"):
        return False
    return func.attr == "cpu" or _is_fetched(facts, func.value, depth)


def _only_parameter(facts: Facts, value: ast.expr) -> Binding | None:
    found = _parameters(facts, value, 0) if isinstance(value, ast.Name) else set()
    return next(iter(found)) if len(found) == 1 else None


def _parameters(facts: Facts, node: ast.Name, depth: int) -> set[Binding | None]:
    """The parameters that a name's tensor is computed from; None among them for anything else."""
    found: set[Binding | None] = set()
    for binding in facts.names.reaching(node):
        value = binding.value
        if binding.how is How.PARAMETER:
            found.add(binding)
        elif binding.how is How.ASSIGN and value is not None and depth < _MAX_NAMES:
            tensors = [
                n
                for n in ast.walk(value)
                if isinstance(n, ast.Name) and n is not node and roles_of(facts).is_(n, Role.TENSOR)
            ]
            found |= {p for tensor in tensors for p in _parameters(facts, tensor, depth + 1)} or {None}
        else:
            found.add(None)
    return found
