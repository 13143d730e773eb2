"""What stands for each of several values: ``t.to(device)`` of ``[t.to(device) for t in batch]``."""

from __future__ import annotations

import ast

from xlaport.facts.module import Module
from xlaport.facts.names import Binding, Names

_COPYING = frozenset({"builtins.tuple", "builtins.list", "builtins.iter"})


def each_of(names: Names, value: ast.expr) -> ast.expr | None:
    """The expression that is worked out for each element: of a comprehension, and of ``map(lambda t: …, batch)``."""
    if isinstance(value, ast.ListComp | ast.GeneratorExp):
        return value.elt
    if not isinstance(value, ast.Call) or not value.args or value.keywords:
        return None
    called = names.resolve(value.func)
    if called in _COPYING:
        return each_of(names, value.args[0])
    if called == "builtins.map" and isinstance(value.args[0], ast.Lambda):
        return value.args[0].body
    return None


def mapped_over(module: Module, names: Names, parameter: Binding) -> ast.expr | None:
    """What the parameter of a lambda goes through: ``batch`` for ``t`` of ``map(lambda t: t.to(device), batch)``."""
    arguments = module.parents.get(parameter.node)
    function = module.parents.get(arguments) if isinstance(arguments, ast.arguments) else None
    call = module.parents.get(function) if isinstance(function, ast.Lambda) else None
    if not isinstance(call, ast.Call) or names.resolve(call.func) != "builtins.map" or call.args[:1] != [function]:
        return None
    assert isinstance(arguments, ast.arguments)
    plain = [*arguments.posonlyargs, *arguments.args]
    index = next((i for i, arg in enumerate(plain, 1) if arg is parameter.node), None)
    if index is None or index >= len(call.args) or any(isinstance(a, ast.Starred) for a in call.args):
        return None
    return call.args[index]


def gives_keys(call: ast.Call, path: tuple[int, ...]) -> bool:
    """Whether a loop gets the keys of a dict at a path of positions: ``for key, value in outputs.items()``."""
    asked = call.func.attr if isinstance(call.func, ast.Attribute) and not call.args else None
    return asked == "keys" or (asked == "items" and path[:1] == (0,))
