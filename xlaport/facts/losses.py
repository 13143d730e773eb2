"""Names of losses: what backward() is called on is one number, and so is what it is added up from."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from xlaport.facts.program import Facts
from xlaport.facts.roles import TENSORS, dotted, roles_of

Key = tuple[object, str]
"""The scope of the name that a path begins with, and the path."""


def key_of(facts: Facts, node: ast.expr) -> Key | None:
    """The key of a name, or of an attribute of one."""
    path = dotted(node)
    return (_home(facts, node), path) if path is not None else None


def losses(facts: Facts) -> frozenset[Key]:
    """The names and paths of a file that stand for one float.

    On them backward() is called without a gradient, or they are added up to something on which it is.
    """
    found: set[Key] = set()
    for call in facts.module.calls:
        if not isinstance(call.func, ast.Attribute) or call.func.attr != "backward" or len(call.args) > 1:
            continue
        base = call.func.value
        if call.args and roles_of(facts).role(base) in TENSORS:
            continue  # with a gradient
        # scaler.scale(loss).backward() and accelerator.backward(loss)
        for value in call.args or [base, *(base.args[:1] if isinstance(base, ast.Call) else [])]:
            found |= {key for leaf in _addends(value) if (key := key_of(facts, leaf)) is not None}
    if not found:
        return frozenset()
    sums = [
        (facts.names.home(target), target.id, node.value)
        for node in facts.module.of_type(ast.Assign, ast.AugAssign)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name)
    ]
    while True:
        more = {
            key
            for home, name, value in sums
            if (home, name) in found
            for leaf in _addends(value)
            if (key := key_of(facts, leaf)) is not None and roles_of(facts).role(leaf) in (None, *TENSORS)
        } - found
        if not more:
            break
        found |= more
    return frozenset(found)


def _home(facts: Facts, node: ast.expr) -> object:
    """The scope of the name that a path begins with."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return facts.names.home(node) if isinstance(node, ast.Name) else None


def _addends(node: ast.expr) -> Iterable[ast.expr]:
    """The names and paths of which a value is made by arithmetic: if it is a single number, so are they."""
    todo = [node]
    while todo:
        part = todo.pop()
        if isinstance(part, ast.BinOp) and isinstance(part.op, ast.Add | ast.Sub | ast.Mult | ast.Div):
            todo += [part.right, part.left]
        elif isinstance(part, ast.UnaryOp):
            todo.append(part.operand)
        elif isinstance(part, ast.Name | ast.Attribute):
            yield part
