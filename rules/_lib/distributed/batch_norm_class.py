"""The class of PyTorch's batch norms over several processes, and what only asks for it."""

from __future__ import annotations

import ast

from xlaport.context import Context

from . import names

CONVERT = "convert_sync_batchnorm"
"""Its method that makes such modules of others."""
_TYPES = frozenset({"builtins.isinstance", "builtins.issubclass", "builtins.type"})


def is_type(context: Context, node: ast.expr) -> bool:
    """Whether a class stands for the type of what is there already: in ``isinstance``, in a tuple, in an annotation."""
    child: ast.AST = node
    parent = context.module.parents[node]
    while isinstance(parent, ast.Tuple | ast.List | ast.Set | ast.BinOp | ast.Subscript):
        child, parent = parent, context.module.parents[parent]
    if child is not node or isinstance(parent, ast.Compare | ast.Expr):
        return True
    if isinstance(parent, ast.Call) and child in parent.args:
        return context.resolve(parent.func) in _TYPES
    if isinstance(parent, ast.AnnAssign | ast.arg):
        return child is parent.annotation
    return isinstance(parent, ast.FunctionDef) and child is parent.returns


def is_sync_batch_norm(context: Context, node: ast.expr) -> bool:
    """Whether an expression names PyTorch's class, or its method that makes such modules."""
    return class_of(context, node) is not None


def class_of(context: Context, node: ast.AST) -> ast.expr | None:
    """The part of an expression that names the class; None where it names something else."""
    name = names.is_distributed(context, node)
    if name not in names.SYNC_BATCH_NORM or not isinstance(node, ast.Name | ast.Attribute):
        return None
    if not name.endswith(CONVERT):
        return node
    return node.value if isinstance(node, ast.Attribute) and node.attr == CONVERT else None
