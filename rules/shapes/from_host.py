"""Tensors that are made of numbers of the host: who needs the numbers takes them there, and does not wait."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.facts.change import Change
from xlaport.facts.names import Binding, How
from xlaport.facts.role import TENSORS, Role

_MAKING = frozenset("torch." + n for n in "tensor as_tensor Tensor LongTensor IntTensor FloatTensor".split())
_MAX_DEPTH = 8


def kept_on_host(context: Context, change: Change) -> str | None:
    """What to do where a number is read back that came from the host; None where it did not, as far as is known."""
    read = change.node
    if change.facts is not context.view.own or not isinstance(read, ast.Call):
        return None
    tensor = read.func.value if isinstance(read.func, ast.Attribute) else next(iter(read.args), None)
    made = made_of_numbers(context, tensor) if tensor is not None else None
    if made is None:
        return None
    return (
        f"take the numbers from the host, where {change.name} comes from: keep what torch.tensor() gets in line "
        f"{context.line(made)}, compute the same with it, and use that here, which waits for nothing"
    )


def made_of_numbers(context: Context, node: ast.expr) -> ast.Call | None:
    """``torch.tensor(counts, device=device)``, where a tensor is computed from numbers that the host has."""
    return _made(context, node, 0)


def _made(context: Context, node: ast.expr, depth: int) -> ast.Call | None:
    """The call that makes a tensor of numbers, which everything that an expression may be is computed from."""
    if depth > _MAX_DEPTH:
        return None
    if isinstance(node, ast.Call):
        if context.resolve(node.func) in _MAKING:
            given = node.args[0] if node.args else None
            return node if given is not None and _is_of_host(context, given) else None
        return _made(context, node.func.value, depth + 1) if isinstance(node.func, ast.Attribute) else None
    if isinstance(node, ast.BinOp):
        tensors = [side for side in (node.left, node.right) if context.roles.role(side) in TENSORS]
        found = [_made(context, side, depth + 1) for side in tensors]
        return found[0] if found and None not in found else None
    if isinstance(node, ast.Name):
        found = [_bound(context, binding, depth) for binding in context.names.reaching(node)]
        return found[0] if found and None not in found else None
    return None


def _bound(context: Context, binding: Binding, depth: int) -> ast.Call | None:
    value, index = binding.value, binding.index
    if binding.how is How.UNPACK and isinstance(value, ast.Tuple) and index is not None and index < len(value.elts):
        return _made(context, value.elts[index], depth + 1)
    return _made(context, value, depth + 1) if binding.how is How.ASSIGN and value is not None else None


def _is_of_host(context: Context, node: ast.expr) -> bool:
    """Whether a value holds no tensors: sizes and numbers alone."""
    if isinstance(node, ast.List | ast.Tuple):
        return all(_is_of_host(context, element) for element in node.elts)
    if isinstance(node, ast.ListComp):
        return _is_of_host(context, node.elt)
    if isinstance(node, ast.Name):
        bound = [b.value if b.how is How.ASSIGN else None for b in context.names.reaching(node)]
        if bound and all(isinstance(v, ast.ListComp) for v in bound):
            return all(_is_of_host(context, v) for v in bound if v is not None)
    return isinstance(node, ast.Constant) or _is_size(node) or context.roles.is_(node, Role.NUMBER)


def _is_size(node: ast.expr) -> bool:
    """``x.shape[0]``, ``x.size(0)``, ``len(x)``."""
    if isinstance(node, ast.Subscript):
        return isinstance(node.value, ast.Attribute) and node.value.attr == "shape"
    if not isinstance(node, ast.Call):
        return False
    func = node.func
    return (isinstance(func, ast.Attribute) and func.attr == "size") or (
        isinstance(func, ast.Name) and func.id == "len"
    )
