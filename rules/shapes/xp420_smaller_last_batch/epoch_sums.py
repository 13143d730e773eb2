"""What a loop over batches sums up and its function divides by the number of all samples, those left out included."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.loaders import Loader, loaders_of
from xlaport.facts.module import LoopNode, walk_block
from xlaport.facts.origins import Origins
from xlaport.facts.roles import dotted


def divided_by_all(context: Context, loop: LoopNode, loader: Loader) -> ast.expr | None:
    """The number of all samples by which a sum of the loop is divided behind it: ``total / len(loader.dataset)``."""
    summed = set(_summed(loop))
    around = context.module.function(loop)
    body = context.module.tree.body if around is None else around.body
    for node in walk_block(body if isinstance(body, list) else []) if summed else ():
        if isinstance(node, ast.BinOp):
            left, right = node.left, node.right
        elif isinstance(node, ast.AugAssign):
            left, right = node.target, node.value
        else:
            continue
        is_behind = node.lineno > (loop.end_lineno or loop.lineno)
        if not is_behind or not isinstance(node.op, ast.Div) or summed.isdisjoint(_names(left)):
            continue
        if any(_counts_all(context, loader, count) for count in _values(context, right)):
            return right
    return None


def _summed(loop: LoopNode) -> Iterator[str]:
    for node in walk_block(loop.body):
        if isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Add):
            yield from filter(None, [dotted(node.target)])


def _names(node: ast.expr) -> set[str | None]:
    return {dotted(part) for part in ast.walk(node) if isinstance(part, ast.Name | ast.Attribute)}


def _values(context: Context, node: ast.expr) -> list[ast.expr]:
    """An expression, and what its name was assigned."""
    value = context.names.assigned(node) if isinstance(node, ast.Name) else None
    return [node] if value is None else [value]


def _counts_all(context: Context, loader: Loader, count: ast.expr) -> bool:
    """``len(loader.dataset)``, ``len(data)``, and ``y.size(0)`` of the ``y`` that the data set is made of."""
    counted = _counted(context, count)
    if counted is None:
        return False
    own = context.view.own
    sets = loader.spots("dataset")
    if isinstance(counted, ast.Attribute) and counted.attr == "dataset":
        return loader in loaders_of(context.flow.structure, own, counted.value)
    if any(s.facts is own and _is_in(counted, s.node) for s in sets):
        return True
    origins = Origins(context.flow.structure)
    there = {origin.node for s in sets for origin in origins.of(s.facts, s.node) or ()}
    return any(origin.node in there for origin in origins.of(own, counted) or ())


def _counted(context: Context, count: ast.expr) -> ast.expr | None:
    """What is counted: of ``len(x)``, ``x.size(0)`` and ``x.shape[0]``."""
    if isinstance(count, ast.Subscript):
        is_shape = isinstance(count.value, ast.Attribute) and count.value.attr == "shape"
        return (
            count.value.value if is_shape and isinstance(count.value, ast.Attribute) and _is_zero(count.slice) else None
        )
    if not isinstance(count, ast.Call) or len(count.args) != 1:
        return None
    if context.resolve(count.func) == "builtins.len":
        return count.args[0]
    is_size = isinstance(count.func, ast.Attribute) and count.func.attr == "size" and _is_zero(count.args[0])
    return count.func.value if is_size and isinstance(count.func, ast.Attribute) else None


def _is_zero(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value == 0


def _is_in(part: ast.expr, whole: ast.expr) -> bool:
    """Whether an expression is a part of another one that makes a data set of it, or is the data set."""
    wanted = ast.dump(part)
    return any(ast.dump(node) == wanted for node in ast.walk(whole) if isinstance(node, ast.expr))
