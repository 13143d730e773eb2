"""Where names stand inside f-strings: before Python 3.12, `ast` gives no exact positions there."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from xlaport.facts.module import Module
from xlaport.rule import Span

_OPENING = re.compile(r"([A-Za-z]{0,2})('''|\"\"\"|'|\")")


def spans_of(module: Module, joined: ast.JoinedStr, name: str) -> list[tuple[ast.Name, Span]] | None:
    """The uses of a name in the replacement fields of an f-string, with their ranges; None where that is not sure."""
    uses = [node for node in ast.walk(joined) if isinstance(node, ast.Name) and node.id == name]
    uses.sort(key=lambda node: (node.lineno, node.col_offset))
    outer = module.span(joined)
    word = re.compile(rf"(?<![\w.]){re.escape(name)}(?!\w)")
    found: list[Span] = []
    for field in _fields(module.text[outer.start : outer.end]):
        start = outer.start + field.start
        found += [
            Span(start + m.start(), start + m.end())
            for m in word.finditer(module.text[start : outer.start + field.end])
        ]
    return list(zip(uses, found, strict=True)) if len(uses) == len(found) else None


def _fields(text: str) -> Iterator[Span]:
    """The replacement fields of the f-strings in a text that holds nothing but string literals."""
    position = 0
    while position < len(text):
        opening = _OPENING.match(text, position)
        if opening is None:
            position += 1  # blanks, newlines and comments between literals
            if text[position - 1] == "#":
                position = _end_of_line(text, position)
            continue
        prefix, quote = opening[1].lower(), opening[2]
        position = opening.end()
        while position < len(text) and not text.startswith(quote, position):
            if text[position] == "\\" and "r" not in prefix:
                position += 2
            elif "f" in prefix and text.startswith(("{{", "}}"), position):
                position += 2
            elif "f" in prefix and text[position] == "{":
                end = _end_of_field(text, position)
                yield Span(position + 1, end)
                position = end + 1
            else:
                position += 1
        position += len(quote)


def _end_of_field(text: str, start: int) -> int:
    """The offset of the brace that closes the one at `start`."""
    depth = 0
    for position in range(start, len(text)):
        if text[position] in "{[(":
            depth += 1
        elif text[position] in "}])":
            depth -= 1
            if depth == 0:
                return position
    return len(text)


def _end_of_line(text: str, position: int) -> int:
    end = text.find("\n", position)
    return end if end >= 0 else len(text)
