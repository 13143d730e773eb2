"""Classes that nothing in the project uses: what is said of them is said of whoever does."""

from __future__ import annotations

import ast

from xlaport.context import Context


def idle_class(context: Context, node: ast.AST) -> str | None:
    """The name of the class around a node, where no line of the project names it outside of itself."""
    owner = next((p for p in context.module.ancestors(node) if isinstance(p, ast.ClassDef)), None)
    if owner is None or context.view.is_alone or context.module.parents[owner] is not context.module.tree:
        return None
    for use in context.names.uses(context.names.root, owner.name):
        if not any(parent is owner for parent in context.module.ancestors(use)):
            return None
    own = context.view.own
    return None if own.program.used_elsewhere(own.file, [owner.name]) else owner.name
