"""The statements that wait until the device has done what it was given."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.rule import Import, Trait


def waiting(context: Context, node: ast.AST) -> tuple[str, tuple[Import, ...]]:
    """What to write at a node, a call a line, and its imports: a barrier first where operations wait for one."""
    text, imports = context.symbol("wait_device_ops", node)
    if not context.target.is_a(Trait.LAZY_GRAPH):
        return f"{text}()", imports
    sync, more = context.symbol("sync", node)
    return f"{sync}()\n{text}()", (*more, *imports)
