"""The user's own code in one line, as a message shows it and an edit writes it."""

from __future__ import annotations

import ast
import re

from xlaport.context import Context

_BEFORE_METHOD = re.compile(r"\s*\\?\n\s*(?=\.)")
_NEWLINES = re.compile(r"\s*\\?\n\s*")


def one_line(context: Context, node: ast.AST) -> str:
    """The text of a node in one line, without the blanks that align it."""
    text = in_one_line(context.module.segment(node))
    return text if "'" in text or '"' in text else " ".join(text.split())


def in_one_line(text: str) -> str:
    """A text of several lines in one."""
    return _NEWLINES.sub(" ", _BEFORE_METHOD.sub("", text))
