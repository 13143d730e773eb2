"""``async=`` in calls: until Python 3.6 an argument like any other, since 3.7 a keyword, which no call can have.

PyTorch renamed its own to ``non_blocking``, in 0.4.1. A file that cannot be parsed for that alone is read as if it said
so: the tree has the new name at the place of the old one, and the text is as it was.
"""

from __future__ import annotations

import ast
import io
import itertools
import re
import tokenize
from collections.abc import Iterator

_WANTED = re.compile(r"\basync\s*=")
_STANDIN = "a5ync"
"""A name as long as the keyword, so that every place stays what it is."""
_METHODS = frozenset({"cuda", "to", "copy_", "type", "cpu"})
"""Methods of PyTorch's that had the argument."""
NEW_NAME = "non_blocking"


def parsed(text: str) -> tuple[ast.Module, tuple[ast.keyword, ...]]:
    """The tree of a text, and its arguments that are written ``async=``. Raises as `ast.parse` does."""
    try:
        return ast.parse(text), ()
    except SyntaxError:
        found = _with_standins(text) if _WANTED.search(text) else None
        if found is None:
            raise
    return found


def _with_standins(text: str) -> tuple[ast.Module, tuple[ast.keyword, ...]] | None:
    """The tree, where each ``async=`` is an argument of one of PyTorch's methods; raises where more is wrong."""
    lines = list(io.StringIO(text, newline=""))
    places = set(_places(text))
    for line, column in places:
        old = lines[line - 1]
        lines[line - 1] = f"{old[:column]}{_STANDIN}{old[column + len(_STANDIN) :]}"
    tree = ast.parse("".join(lines))
    calls = [n for n in ast.walk(tree) if isinstance(n, ast.Call)]
    named = [(call.func, k) for call in calls for k in call.keywords if k.arg == _STANDIN]
    if len(named) != len(places) or not all(isinstance(f, ast.Attribute) and f.attr in _METHODS for f, _ in named):
        return None
    for _, keyword in named:
        keyword.arg = NEW_NAME
    return tree, tuple(keyword for _, keyword in named)


def _places(text: str) -> Iterator[tuple[int, int]]:
    """Line and column, in characters, of each ``async`` before a ``=``; none where the text has no tokens."""
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(text, newline="").readline))
    except (tokenize.TokenError, SyntaxError):
        return
    for token, behind in itertools.pairwise(tokens):
        if token.string == "async" and behind.string == "=":
            yield token.start
