"""The class of PyTorch's batch norms over several processes."""

from __future__ import annotations

import ast

from xlaport.context import Context

from . import names

CONVERT = "convert_sync_batchnorm"
"""Its method that makes such modules of others."""


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
