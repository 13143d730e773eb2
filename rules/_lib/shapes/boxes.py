"""What is done to choose boxes by `nms`: its result is as large as the data says, and belongs on the host."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.facts.module import FunctionNode, walk_block
from xlaport.facts.program import Facts
from xlaport.facts.role import Role
from xlaport.facts.vocabulary import HOST_ATTRIBUTES

from ..series import series
from .saying import say

_CHOOSING = frozenset(
    f"torchvision.ops.{place}{name}" for place in ("", "boxes.") for name in ("nms", "batched_nms")
)  # fmt: skip


def to_host(context: Context, node: ast.AST) -> str | None:
    """What to do about a result of another size where boxes are chosen on the way, or were; else None."""
    function = context.module.function(node)
    if function is None:
        return None
    if (chooses := _chooses(context.view.own, function)) is not None and chooses is not node:
        moved = _moved(context, function)
        return say.phrase("boxes_here", chooses=_named(chooses), line=context.line(chooses), moved=moved)
    given = _loop_over_chosen(context, node)
    if given is None:
        return None
    return say.phrase("boxes_given", given=_named(given), line=context.line(given))


def _chooses(facts: Facts, function: FunctionNode) -> ast.Call | None:
    """The call that chooses boxes, in a function's own code."""
    calls = (n for n in walk_block(function.body) if isinstance(n, ast.Call))
    return next((call for call in calls if facts.names.resolve(call.func) in _CHOOSING), None)


def _moved(context: Context, function: FunctionNode) -> str:
    """``x = x.cpu()`` for the tensors that a function gets."""
    arguments = [*function.args.posonlyargs, *function.args.args]
    names = {argument.arg for argument in arguments}
    found: dict[str, None] = {}
    for node in walk_block(function.body):
        if not isinstance(node, ast.Name) or node.id not in names or not isinstance(node.ctx, ast.Load):
            continue
        parent = context.module.parents[node]
        looks = isinstance(parent, ast.Attribute) and parent.attr in HOST_ATTRIBUTES
        if context.roles.is_(node, Role.TENSOR) and not looks:
            found.setdefault(node.id)
    return series(f"`{name} = {name}.cpu()`" for name in found or ("output",))


def _loop_over_chosen(context: Context, node: ast.AST) -> ast.Call | None:
    """The call before a loop, of a function that chooses boxes, whose results the loop goes over."""
    for parent in context.module.ancestors(node):
        if isinstance(parent, FunctionNode):
            return None
        if isinstance(parent, ast.For) and (found := _given(context, parent.iter)) is not None:
            return found
    return None


def _given(context: Context, node: ast.expr) -> ast.Call | None:
    """The call of a function that chooses boxes, where an expression comes of it."""
    todo, seen = [node], {node}
    while todo:
        for part in ast.walk(todo.pop()):
            if isinstance(part, ast.Call):
                run = context.flow.structure.run_by(context.view.own, part)
                if run is not None and _chooses(run.facts, run.node) is not None:
                    return part
            elif isinstance(part, ast.Name):
                values = [b.value for b in context.names.reaching(part) if b.value is not None]
                todo += [value for value in values if value not in seen]
                seen.update(values)
    return None


def _named(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "this")
