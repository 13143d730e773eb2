"""Comments that an edit would lose."""

from __future__ import annotations

import ast

from xlaport.context import Context


def has_comment(context: Context, node: ast.AST) -> bool:
    """Whether a node of several lines may have a comment in it, which would not survive in one line."""
    text = context.module.segment(node)
    return "\n" in text and "#" in text
