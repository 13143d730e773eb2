"""What a name of a class stands for: the class, to make objects, or a type that is asked for."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.facts.names import How

_TYPES = frozenset({"builtins.isinstance", "builtins.issubclass", "builtins.type"})
_ROWS = (ast.Tuple, ast.List, ast.Set, ast.BinOp, ast.Subscript)
"""What several types stand in: a row, ``A | B``, ``list[A]``."""


def is_type(context: Context, node: ast.expr) -> bool:
    """Whether a class stands for the type of what is there already: in ``isinstance``, a comparison, an annotation, a
    key, or in a row that is handed on, or used so by its name alone.
    """
    child: ast.AST = node
    parent = context.module.parents[node]
    while isinstance(parent, _ROWS):
        child, parent = parent, context.module.parents[parent]
    match parent:
        case ast.Compare() | ast.Expr() | ast.MatchClass():
            return True
        case ast.Dict():
            return child in parent.keys
        case ast.Call():
            return child in parent.args and (child is not node or context.resolve(parent.func) in _TYPES)
        case ast.AnnAssign() | ast.arg():
            return child is parent.annotation
        case ast.FunctionDef():
            return child is parent.returns
        case ast.Assign(targets=[ast.Name() as name]) if child is not node:
            uses = context.names.uses_of(name)
            return bool(uses) and all(is_type(context, use) for use in uses)
    return False


def is_spelled(context: Context, node: ast.Name | ast.Attribute) -> bool:
    """Whether a class of a library is named here by its library's name, or by an import: not by a name of its own."""
    if isinstance(node, ast.Attribute):
        return f"{context.resolve(node.value)}.{node.attr}" == context.resolve(node)
    return isinstance(node.ctx, ast.Load) and all(b.how is How.IMPORT for b in context.names.reaching(node))
