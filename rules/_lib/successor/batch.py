"""The statements that bring the batch of a loop to the device: one for each part of it that the body uses."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from xlaport.context import Context
from xlaport.facts.module import walk_block

_OF_DICT = frozenset("items keys values get pop".split())
_MOVING = frozenset({"to", "cuda"})


def moves(context: Context, loop: ast.For, is_counted: bool, device: str) -> list[str] | None:
    """The statements for the head of a loop's body; None where a part may be no tensor, nor a row or dict of some."""
    target = loop.target
    if is_counted:
        if not isinstance(target, ast.Tuple) or len(target.elts) != 2:
            return None
        target = target.elts[1]
    names = list(_names(target))
    if None in names:
        return None
    lines = []
    for name in filter(None, names):
        uses = _uses(loop.body, name)
        if not uses or _is_moved(loop.body, name):
            continue
        line = _move(context, loop, name, uses, device, is_whole=isinstance(target, ast.Name))
        if line is None:
            return None
        lines.append(line)
    return lines


def _names(target: ast.expr) -> Iterator[str | None]:
    if isinstance(target, ast.Tuple | ast.List):
        for element in target.elts:
            yield from _names(element)
    else:
        yield target.id if isinstance(target, ast.Name) else None


def _uses(body: Sequence[ast.stmt], name: str) -> list[ast.Name]:
    return [n for s in body for n in ast.walk(s) if isinstance(n, ast.Name) and n.id == name and _is_read(n)]


def _is_read(node: ast.Name) -> bool:
    return isinstance(node.ctx, ast.Load)


def _is_moved(body: Sequence[ast.stmt], name: str) -> bool:
    """Whether the body brings it to the device itself, or its parts: ``x = x.to(device)``."""
    for node in walk_block(body):
        if not isinstance(node, ast.Assign) or not any(_says(target, name) for target in node.targets):
            continue
        for call in ast.walk(node.value):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr in _MOVING:
                return True
    return False


def _says(node: ast.expr, name: str) -> bool:
    return any(isinstance(n, ast.Name) and n.id == name for n in ast.walk(node))


def _move(context: Context, loop: ast.For, name: str, uses: list[ast.Name], device: str, is_whole: bool) -> str | None:
    parents = [context.module.parents[use] for use in uses]
    if any(_is_of_dict(parent, use) for parent, use in zip(parents, uses, strict=True)):
        return f"{name} = {{k: v.to({device}) for k, v in {name}.items()}}"
    if any(_is_of_row(context, parent, use, is_whole) for parent, use in zip(parents, uses, strict=True)):
        return f"{name} = [part.to({device}) for part in {name}]"
    is_one = [context.singles.is_one(context.view.own, use) for use in uses]
    if False in is_one:
        return f"{name} = [part.to({device}) for part in {name}]"
    if is_whole and True not in is_one:
        return None
    return f"{name} = {name}.to({device})"


def _is_of_dict(parent: ast.AST, use: ast.Name) -> bool:
    """``batch["x"]``, ``batch.items()``, ``f(**batch)``"""
    if isinstance(parent, ast.keyword):
        return parent.arg is None
    if isinstance(parent, ast.Attribute):
        return parent.attr in _OF_DICT
    if not isinstance(parent, ast.Subscript) or parent.value is not use:
        return False
    return isinstance(parent.slice, ast.Constant) and isinstance(parent.slice.value, str)


def _is_of_row(context: Context, parent: ast.AST, use: ast.Name, is_whole: bool) -> bool:
    """``x, y = batch``, ``f(*batch)``, ``for part in batch``, and ``batch[0]`` of a whole batch."""
    if isinstance(parent, ast.Starred):
        return True
    if isinstance(parent, ast.Assign) and parent.value is use:
        return any(isinstance(target, ast.Tuple | ast.List) for target in parent.targets)
    if isinstance(parent, ast.For | ast.comprehension):
        return parent.iter is use
    if isinstance(parent, ast.Subscript) and parent.value is use and is_whole:
        return isinstance(parent.slice, ast.Constant) and isinstance(parent.slice.value, int)
    return False
