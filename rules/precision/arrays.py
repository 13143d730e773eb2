"""NumPy arrays of what is computed under autocast: NumPy has float16, and no bfloat16."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.derived import Derived
from xlaport.facts.module import FunctionNode, walk_block

_WIDENING = frozenset({"float", "double", "long", "int", "bool", "item", "tolist"})
_TAKING = frozenset({"numpy.array", "numpy.asarray"})
_DECIDING = frozenset({"argmax", "argmin", "argsort"})
"""What gives whole numbers of any dtype."""


def array_of(context: Context, autocast: ast.Call) -> ast.Call | None:
    """The call that makes an array of what a block or a function under an autocast computes, as it is; None: none."""
    computed = list(_computed(context, autocast))
    if not computed:
        return None
    around = context.module.function(autocast) or context.module.tree
    for node in ast.walk(around):
        taken = _array(context, node)
        if taken is not None and isinstance(node, ast.Call) and not _is_widened(taken):
            if any(Derived(context.view.own, value).has(taken) for value in computed):
                return node
    return None


def _computed(context: Context, autocast: ast.Call) -> Iterator[ast.expr]:
    """The values that the statements of the block assign: ``y`` of ``with autocast(): y = model(x)``."""
    block = next((p for p in context.module.ancestors(autocast) if isinstance(p, ast.With | FunctionNode)), None)
    if isinstance(block, ast.With) and any(item.context_expr is autocast for item in block.items):
        yield from (s.value for s in walk_block(block.body) if isinstance(s, ast.Assign))


def _array(context: Context, node: ast.AST) -> ast.expr | None:
    """``y`` of ``y.numpy()`` and ``np.asarray(y)``."""
    if not isinstance(node, ast.Call):
        return None
    if isinstance(node.func, ast.Attribute) and node.func.attr == "numpy" and context.resolve(node.func) is None:
        return node.func.value
    return node.args[0] if context.resolve(node.func) in _TAKING and node.args else None


def _is_widened(value: ast.expr) -> bool:
    """Whether something on the way makes float32 of it, or whole numbers."""
    return any(
        isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute) and n.func.attr in _WIDENING | _DECIDING
        for n in ast.walk(value)
    )
