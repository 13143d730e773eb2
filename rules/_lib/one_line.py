"""The user's own code as a message shows it and an edit writes it: in one line, or indented anew."""

from __future__ import annotations

import ast
import io
import re
import tokenize

from xlaport.context import Context

_BEFORE_METHOD = re.compile(r"\s*\\?\n\s*(?=\.)")
_IN_BRACKETS = re.compile(r"(?<=[(\[{])\s*\n\s*|\s*\n\s*(?=[)\]}])")
_NEWLINES = re.compile(r"\s*\\?\n\s*")


def one_line(context: Context, node: ast.AST) -> str:
    """The text of a node in one line, without the blanks that align it."""
    text = in_one_line(context.module.segment(node))
    return text if "'" in text or '"' in text else " ".join(text.split())


def in_one_line(text: str) -> str:
    """A text of several lines in one."""
    return _NEWLINES.sub(" ", _IN_BRACKETS.sub("", _BEFORE_METHOD.sub("", text)))


def has_long_string(context: Context, statement: ast.stmt) -> bool:
    """Whether a string literal goes over several lines: indented anew, it would be another."""
    if "\n" not in context.module.segment(statement):
        return False
    # From the begin of its line: what it is indented by belongs to its blocks.
    segment = context.module.text[context.module.line_start(statement.lineno) : context.span(statement).end]
    kinds = {tokenize.STRING, getattr(tokenize, "FSTRING_MIDDLE", tokenize.STRING)}
    tokens = tokenize.generate_tokens(io.StringIO(segment).readline)
    return any(token.type in kinds and token.start[0] != token.end[0] for token in tokens)
