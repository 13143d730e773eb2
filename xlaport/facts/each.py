"""Where a name stands in the target of a loop, and what it is given the elements of."""

from __future__ import annotations

import ast

from xlaport.facts.module import Module
from xlaport.facts.names import Binding, How, Names
from xlaport.facts.vocabulary import PASSING_WRAPPERS


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
