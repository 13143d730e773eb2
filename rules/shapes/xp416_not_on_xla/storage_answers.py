"""Questions for strides and offsets whose answer on XLA, that of a tensor with memory of its own, is the right one."""

from __future__ import annotations

import ast

from xlaport.context import Context

from .contiguous import is_contiguous, is_copy
from .never_on_xla import is_for_broadcast


def serves(context: Context, call: ast.Call) -> bool:
    """Whether ``x.stride()`` or ``x.storage_offset()`` gives what the program asks for, on XLA as elsewhere."""
    assert isinstance(call.func, ast.Attribute)
    tensor, parent = call.func.value, context.module.parents[call]
    if call.func.attr == "stride":
        if is_contiguous(context, tensor) or _is_for_a_view(context, call):
            return True
        return isinstance(parent, ast.Compare) and is_for_broadcast(context, parent)
    # Where it lies behind the begin of another tensor's memory, which matters to who looks into that.
    return is_copy(context, tensor) or (_is_with_zero(parent) and not _strides(context, call))


def _is_with_zero(test: ast.AST) -> bool:
    """``x.storage_offset() != 0``"""
    return isinstance(test, ast.Compare) and any(
        isinstance(side, ast.Constant) and side.value == 0 for side in [test.left, *test.comparators]
    )


def _strides(context: Context, call: ast.Call) -> bool:
    """Whether the function looks at memory by strides of its own, where a view begins as the whole does on XLA."""
    function = context.module.function(call) or context.module.tree
    return any(
        isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute) and n.func.attr in ("as_strided", "set_")
        for n in ast.walk(function)
    )


def _is_for_a_view(context: Context, call: ast.Call) -> bool:
    """``x.as_strided(shape, strides)`` by the strides that x itself has: the same elements, whatever these are."""
    assert isinstance(call.func, ast.Attribute)
    tensor = call.func.value
    function = context.module.function(call)
    if not isinstance(tensor, ast.Name) or function is None:
        return False
    bindings = context.names.reaching(tensor)
    return any(
        isinstance(node, ast.Attribute)
        and node.attr == "as_strided"
        and isinstance(node.value, ast.Name)
        and node.value.id == tensor.id
        and context.names.reaching(node.value) == bindings
        for node in ast.walk(function)
    )
