"""What is taken of a tensor for the host alone, number by number: the whole tensor is fetched, once."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.facts.in_place import changes
from xlaport.facts.module import FunctionNode, LoopNode

from ..one_line import one_line
from .saying import say

_READING = frozenset({"item", "tolist", "cpu", "numpy"})
_KEEPING = frozenset({"detach", "squeeze", "clone", "float", "double", "long", "int", "bool"})
"""Methods that may stand between a part of a tensor and its read, and do the same on the host."""
_CASTS = frozenset({"builtins.float", "builtins.int", "builtins.bool"})
_COMPREHENSIONS = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


def fetched_whole(context: Context, node: ast.Subscript) -> str | None:
    """What to do about ``x[q, i].tolist()``, where an index by a tensor saves no wait; None where x stays there."""
    if not isinstance(node.ctx, ast.Load) or not _is_read(context, node):
        return None
    tensor = one_line(context, node.value)
    loop = loop_to_leave(context, node.value)
    if loop is None or not isinstance(node.value, ast.Name):
        return say.phrase("read_whole", tensor=tensor)
    return say.phrase("read_whole_before_the_loop", tensor=tensor, line=context.line(loop))


def loop_to_leave(context: Context, tensor: ast.expr) -> ast.AST | None:
    """The outermost loop within a step that a tensor is the same in all passes of; None where it is in no loop."""
    found: ast.AST | None = None
    names = [n for n in ast.walk(tensor) if isinstance(n, ast.Name)]
    if any(isinstance(n, ast.Call) for n in ast.walk(tensor)):
        return None
    for parent in context.module.ancestors(tensor):
        if isinstance(parent, FunctionNode | ast.Lambda):
            break
        if not isinstance(parent, LoopNode | _COMPREHENSIONS):
            continue
        if isinstance(parent, LoopNode) and context.step_code.counts_steps(parent):
            break
        inside = set(ast.walk(parent))
        if any(b.node in inside for n in names for b in context.names.reaching(n)):
            break
        if any(
            changes(context.view.own, n) for n in inside if isinstance(n, ast.Name) and n.id in {m.id for m in names}
        ):
            break
        found = parent
    return found


def _is_read(context: Context, node: ast.expr) -> bool:
    """Whether nothing becomes of a value on the device: ``node.detach().tolist()``, ``float(node)``."""
    parent = context.module.parents[node]
    if isinstance(parent, ast.Call) and parent.func is not node:
        return context.resolve(parent.func) in _CASTS and len(parent.args) == 1
    if not isinstance(parent, ast.Attribute):
        return False
    call = context.module.parents[parent]
    if not isinstance(call, ast.Call) or call.func is not parent or call.args or call.keywords:
        return parent.attr == "data" and _is_read(context, parent)
    return parent.attr in _READING or (parent.attr in _KEEPING and _is_read(context, call))
