"""How a message names a line, in this file or in another one of the project."""

from __future__ import annotations

import ast
import os

from xlaport.context import Context
from xlaport.facts.program import Facts


def line_of(context: Context, facts: Facts, node: ast.AST) -> str:
    """``line 12``, or ``line 12 of ../model.py`` where the node is in another file than the one looked at."""
    if facts is context.view.own:
        return f"line {context.line(node)}"
    own = os.path.dirname(context.view.own.file)
    return f"line {getattr(node, 'lineno', 1)} of {os.path.relpath(facts.file, own).replace(os.sep, '/')}"
