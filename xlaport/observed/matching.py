"""Which expression of a text an expression of another text is: the other one came of it by a conversion, or led to it.

An expression is told by the definitions around it and the statement that it stands in; where that has changed, by the
definitions alone. Of several alike, each text must have as many: they are taken in their order.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Any

from xlaport.facts.module import Module

WATCHED = (ast.Name, ast.Attribute, ast.Call, ast.Subscript)
"""The kinds of expressions that are watched."""
_AROUND = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)

_Key = tuple[Any, ...]


def same(before: Module, after: Module) -> Iterator[tuple[ast.expr, ast.expr]]:
    """The pairs of expressions, one of `before` and one of `after`, that are the same."""
    left = [[node for node in module.of_type(*WATCHED) if isinstance(node, ast.expr)] for module in (before, after)]
    for key_of in (_in_statement, _in_definition):
        one, other = (_by_key(module, nodes, key_of) for module, nodes in zip((before, after), left, strict=True))
        found = [
            pair
            for key, nodes in one.items()
            if len(nodes) == len(other.get(key, ()))
            for pair in zip(nodes, other[key], strict=True)
        ]
        yield from found
        met = {node for pair in found for node in pair}
        left = [[node for node in nodes if node not in met] for nodes in left]


def _by_key(module: Module, nodes: Iterable[ast.expr], key_of: Any) -> dict[_Key, list[ast.expr]]:
    found: dict[_Key, list[ast.expr]] = {}
    for node in nodes:
        found.setdefault(key_of(module, node), []).append(node)
    return found


def _in_definition(module: Module, node: ast.expr) -> _Key:
    path = tuple(getattr(each, "name", "<lambda>") for each in module.ancestors(node) if isinstance(each, _AROUND))
    return path, ast.unparse(node)


def _in_statement(module: Module, node: ast.expr) -> _Key:
    top: ast.AST = node
    while not isinstance(parent := module.parents[top], ast.stmt | ast.Module):
        top = parent
    said = ast.unparse(top) if isinstance(top, ast.expr) else type(top).__name__
    return (*_in_definition(module, node), type(parent).__name__, said)
