"""What stands for each of several values: ``t.to(device)`` of ``[t.to(device) for t in batch]``."""

from __future__ import annotations

import ast

from xlaport.facts.module import Module
from xlaport.facts.names import Binding, How, Names
from xlaport.facts.vocabulary import LOOP_WRAPPERS, PASSING_WRAPPERS

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


def gone_through(names: Names, iterable: ast.expr) -> list[ast.expr]:
    """What a loop goes through under a name, or by a choice: ``bar = tqdm(enumerate(loader)) if show else loader``."""
    if isinstance(iterable, ast.IfExp):
        return [iterable.body, iterable.orelse]
    value = names.assigned(iterable)
    is_bar = isinstance(value, ast.Call) and bool(value.args) and names.resolve(value.func) in LOOP_WRAPPERS
    return [value] if value is not None and (is_bar or isinstance(value, ast.IfExp)) else []


def position(module: Module, target: ast.AST) -> tuple[int, ...]:
    """Where a name stands in the target of a loop: (1, 0) for x of ``i, (x, y)``."""
    path: list[int] = []
    parent = module.parents.get(target)
    while isinstance(parent, ast.Tuple | ast.List):
        path.append(next(i for i, element in enumerate(parent.elts) if element is target))
        target, parent = parent, module.parents.get(parent)
    return tuple(reversed(path))


def whole_of(module: Module, names: Names, binding: Binding) -> ast.expr | None:
    """What a loop gives a name the elements of: ``xs`` for x of ``for i, (x, y) in enumerate(zip(xs, ys))``."""
    if binding.how is not How.FOR or binding.value is None:
        return None
    iterable, path = binding.value, position(module, binding.node)
    while isinstance(iterable, ast.Call) and iterable.args:
        called = names.resolve(iterable.func)
        if called == "builtins.zip" and path and path[0] < len(iterable.args):
            iterable, path = iterable.args[path[0]], path[1:]
        elif called == "builtins.enumerate" and path[:1] == (1,):
            iterable, path = iterable.args[0], path[1:]
        elif called in PASSING_WRAPPERS:
            iterable = iterable.args[0]
        else:
            break
    return iterable if not path and not isinstance(iterable, ast.Starred) else None
