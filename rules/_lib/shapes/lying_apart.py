"""Masks that lie on the host on some way, beside a tensor of the device: an index takes them, `masked_fill_` raises."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.names import Binding, How
from xlaport.facts.role import Role

_MAX_DEPTH = 4


def may_lie_apart(context: Context, mask: ast.expr, tensor: ast.expr) -> bool:
    """Whether a mask is moved to the device on some ways alone, and not where its tensor is.

    One of the host may index a tensor of the device. As an operand, next to it, it raises (torch_xla 2.9, measured).
    """
    names = list(_operands(context, mask, 0))
    # Operands of one expression lie together: one that is sure to be on the device tells of all.
    return bool(names) and all(
        _is_moved_at_times(context, name) and not _moves_with(context, name, tensor) for name in names
    )


def _operands(context: Context, node: ast.expr, depth: int) -> Iterator[ast.Name]:
    """The names of tensors that a mask is computed from, also through a name that was given such a mask."""
    for name in (n for n in ast.walk(node) if isinstance(n, ast.Name) and context.roles.is_(n, Role.TENSOR)):
        value = context.names.assigned(name)
        if depth < _MAX_DEPTH and isinstance(value, ast.Compare | ast.UnaryOp | ast.BinOp):
            yield from _operands(context, value, depth + 1)
        else:
            yield name


def _is_moved_at_times(context: Context, name: ast.Name) -> bool:
    return any(_is_of_host(context, binding) for binding in context.names.reaching(name))


def _is_of_host(context: Context, binding: Binding) -> bool:
    value = binding.value if binding.how is How.ASSIGN else None
    sides = [value.body, value.orelse] if isinstance(value, ast.IfExp) else [value]
    return any(side is not None and context.roles.is_(side, Role.HOST_TENSOR) for side in sides)


def _moves_with(context: Context, mask: ast.Name, tensor: ast.expr) -> bool:
    """Whether a tensor is moved on the same ways as the mask, or the mask is made of it."""
    root = tensor
    while isinstance(root, ast.Subscript | ast.Attribute):
        root = root.value
    if not isinstance(root, ast.Name):
        return False
    if root.id == mask.id:
        return True
    return _is_moved_at_times(context, root) and _moving(context, root) == _moving(context, mask)


def _moving(context: Context, name: ast.Name) -> set[ast.AST]:
    """The blocks in which a name gets a tensor of the device."""
    parents = context.module.parents
    bound = [binding for binding in context.names.reaching(name) if not _is_of_host(context, binding)]
    return {parents[context.module.statement(binding.node)] for binding in bound}
