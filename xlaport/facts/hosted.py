"""Dicts whose items a loop has brought to the host: ``for key, value in state.items(): state[key] = value.cpu()``."""

from __future__ import annotations

import ast

from xlaport.facts.program import Facts

_TO_HOST = frozenset({"cpu", "numpy", "tolist", "item"})


def items_are_on_host(facts: Facts, name: ast.Name) -> bool:
    """Whether a loop in front of a use has put all items of a dict back as values of the host."""
    home = facts.names.home(name)
    used = {name, *facts.module.ancestors(name)}
    for use in facts.names.uses(home, name.id) if home is not None else ():
        loop = _loop_over(facts, use)
        if loop is None or loop in used or not any(_puts_back(s, loop, name.id) for s in loop.body):
            continue
        block = facts.module.block(loop)
        if any(statement in used for statement in block[block.index(loop) + 1 :]):
            return True
    return False


def _loop_over(facts: Facts, use: ast.Name) -> ast.For | None:
    """``for key, value in use.items():``"""
    method = facts.module.parents[use]
    call = facts.module.parents[method]
    loop = facts.module.parents[call]
    is_items = isinstance(method, ast.Attribute) and method.attr == "items" and isinstance(call, ast.Call)
    return loop if is_items and isinstance(loop, ast.For) and loop.iter is call else None


def _puts_back(statement: ast.stmt, loop: ast.For, name: str) -> bool:
    """``state[key] = value.cpu()``, with the key and the value of the loop."""
    if not isinstance(statement, ast.Assign) or not isinstance(loop.target, ast.Tuple) or len(loop.target.elts) != 2:
        return False
    target, (key, item) = statement.targets[0], loop.target.elts
    if not isinstance(target, ast.Subscript) or not isinstance(key, ast.Name) or not isinstance(item, ast.Name):
        return False
    stores = (n for s in loop.body for n in ast.walk(s) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))
    if any(node.id in (key.id, item.id) for node in stores):
        return False
    is_item = isinstance(target.slice, ast.Name) and target.slice.id == key.id
    return is_item and ast.unparse(target.value) == name and _hosted(statement.value) == item.id


def _hosted(value: ast.expr) -> str | None:
    """The name of what a chain of methods brings to the host: ``value`` of ``value.detach().cpu()``."""
    methods: set[str] = set()
    while isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
        methods.add(value.func.attr)
        value = value.func.value
    return value.id if isinstance(value, ast.Name) and methods & _TO_HOST else None
