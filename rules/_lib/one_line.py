"""The user's own code as a message shows it and an edit writes it: in one line, or indented anew."""

from __future__ import annotations

import ast
import io
import re
import tokenize

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


def has_long_string(context: Context, statement: ast.stmt) -> bool:
    """Whether a string literal goes over several lines: indented anew, it would be another."""
    segment = context.module.segment(statement)
    if "\n" not in segment:
        return False
    kinds = {tokenize.STRING, getattr(tokenize, "FSTRING_MIDDLE", tokenize.STRING)}
    tokens = tokenize.generate_tokens(io.StringIO(segment).readline)
    return any(token.type in kinds and token.start[0] != token.end[0] for token in tokens)
