"""Writes into a tensor: every place that changes one in place."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.role import Role
from xlaport.facts.roles import roles_of
from xlaport.facts.views import Step, Views, Way

_FORM = frozenset(
    "requires_grad_ detach_ share_memory_ retain_grad_ unsqueeze_ squeeze_ t_ transpose_ resize_ set_ swapaxes_ "
    "swapdims_ clip_grad_norm_ clip_grad_value_ rename_ coalesce_ apply_ map_ map2_".split()
)
"""Methods that end with `_`, and write no element of their own tensor, or are for tensors of the host alone."""


def ways_to_writes(context: Context) -> Iterator[tuple[ast.AST, ast.expr, Way]]:
    """What writes into a tensor, each with the tensor and a way by which that may share its memory with another."""
    views = Views(context.flow.structure)
    for node in context.module.of_type(ast.Assign, ast.AugAssign, ast.Call):
        target = _written(context, node)
        if target is not None and context.editable(target):
            yield from ((node, target, way) for way in views.ways(context.view.own, target))


def _written(context: Context, node: ast.AST) -> ast.expr | None:
    """The tensor that a statement or a call writes into: ``x`` of ``x[0] = 1``, ``x += 1``, ``x.mul_(2)``."""
    if isinstance(node, ast.Assign):
        targets = [target for target in node.targets if isinstance(target, ast.Subscript)]
        return targets[0].value if targets else None
    if isinstance(node, ast.AugAssign):
        return node.target.value if isinstance(node.target, ast.Subscript) else node.target
    if not isinstance(node, ast.Call):
        return None
    name = context.resolve(node.func)
    if name is None:
        if isinstance(node.func, ast.Attribute) and _is_in_place(node.func.attr):
            return node.func.value
        return None
    if not name.startswith("torch."):
        return None
    out = next((k.value for k in node.keywords if k.arg == "out"), None)
    if out is not None:
        return out
    if node.args and (_is_in_place(name.rpartition(".")[2]) or _has_flag(node)):
        return node.args[0]
    return None


def indices(node: ast.AST) -> list[ast.expr]:
    """The indices of the part that a statement writes: ``0`` of ``x[0] = 1``, and of ``x[0] += 1``."""
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AugAssign) else []
    return [target.slice for target in targets if isinstance(target, ast.Subscript)]


def on_device(context: Context, way: Way, step: Step, node: ast.AST) -> bool:
    """Whether a tensor on a way to a write was on the device: a move makes a copy, whatever the memory was before."""
    behind = way.steps[way.steps.index(step) :]  # broadcast_tensors() gives several, of which one is taken
    known = {roles_of(each.facts).role(each.node) for each in behind} | {roles_of(way.facts).role(way.root)}
    known.discard(None)
    return known == {Role.TENSOR} if known else context.step_code.with_steps(node)


def _is_in_place(name: str) -> bool:
    """Whether a method of tensors with this name writes their elements."""
    return name.endswith("_") and not name.endswith("__") and not name.startswith("_") and name not in _FORM


def _has_flag(node: ast.Call) -> bool:
    """``F.relu(x, inplace=True)``."""
    return any(
        k.arg == "inplace" and isinstance(k.value, ast.Constant) and k.value.value is True for k in node.keywords
    )
