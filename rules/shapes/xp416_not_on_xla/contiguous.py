"""Tensors whose elements lie one behind the other on every device, since what has made them wrote them so."""

from __future__ import annotations

import ast
from collections.abc import Callable

from xlaport.context import Context
from xlaport.facts.known import makes_tensor
from xlaport.facts.names import How

_PADS = frozenset({"torch.nn.functional.pad", "torch._C._nn.pad"})
_PRODUCTS = frozenset({"torch.bmm", "torch.baddbmm"})
_SHAPING = frozenset({"view", "reshape"})
_MAX_DEPTH = 4
_OF_IMAGES = 4
"""As many dimensions as a tensor needs for a memory format of its own, which what copies it keeps."""


def is_contiguous(context: Context, node: ast.expr, depth: int = 0) -> bool:
    """Whether a tensor is as a factory, `contiguous()` or a copy has made it: its strides are the same everywhere."""
    if not isinstance(node, ast.Call):
        return _is_each(context, node, depth, is_contiguous)
    name = context.resolve(node.func) or ""
    if makes_tensor(name) or name in _PRODUCTS:
        return True
    if name in _PADS and node.args:
        padded = node.args[0]
        return _is_flat(context, padded, depth + 1) or is_contiguous(context, padded, depth + 1)
    if not isinstance(node.func, ast.Attribute) or node.func.attr not in ("contiguous", "clone"):
        return False
    # Another memory format has strides of its own, and a plain clone keeps those that there are.
    formats = [*node.args, *(k.value for k in node.keywords)]
    if not formats:
        return node.func.attr == "contiguous"
    return all(context.resolve(value) == "torch.contiguous_format" for value in formats)


def is_copy(context: Context, node: ast.expr, depth: int = 0) -> bool:
    """Whether a tensor has memory of its own, which it begins: as a factory or `clone()` has made it."""
    if not isinstance(node, ast.Call):
        return _is_each(context, node, depth, is_copy)
    is_clone = isinstance(node.func, ast.Attribute) and node.func.attr == "clone"
    return is_clone or makes_tensor(context.resolve(node.func) or "")


def _is_flat(context: Context, node: ast.expr, depth: int) -> bool:
    """Whether a tensor has fewer dimensions than images: ``x.reshape(rows, columns, size)``."""
    if not isinstance(node, ast.Call):
        return _is_each(context, node, depth, _is_flat)
    sizes = node.args
    if len(sizes) == 1 and isinstance(sizes[0], ast.Tuple | ast.List):
        sizes = sizes[0].elts
    elif len(sizes) == 1:
        return False  # which may be a shape
    is_shaped = (
        isinstance(node.func, ast.Attribute) and node.func.attr in _SHAPING and context.resolve(node.func) is None
    )
    return is_shaped and 0 < len(sizes) < _OF_IMAGES and not any(isinstance(size, ast.Starred) for size in sizes)


def _is_each(context: Context, node: ast.expr, depth: int, asked: Callable[[Context, ast.expr, int], bool]) -> bool:
    """Whether something holds of each value that a name may have."""
    found = context.names.reaching(node) if isinstance(node, ast.Name) and depth < _MAX_DEPTH else ()
    return bool(found) and all(
        b.how is How.ASSIGN and b.value is not None and asked(context, b.value, depth + 1) for b in found
    )
