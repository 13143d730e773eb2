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


def span_of(module: Module, node: ast.expr) -> Span | None:
    """The exact range of an expression inside an f-string; None where that is not sure.

    The text of each replacement field is parsed by itself, and put beside what `ast` made of it.
    """
    joined = [parent for parent in module.ancestors(node) if isinstance(parent, ast.JoinedStr)]
    if not joined:
        return module.span(node)
    outer = module.span(joined[-1])
    text = module.text[outer.start : outer.end]
    fields = list(_fields(text))
    values = [part.value for part in joined[-1].values if isinstance(part, ast.FormattedValue)]
    if len(fields) != len(values):
        return None
    for field, value in zip(fields, values, strict=True):
        if node not in set(ast.walk(value)):
            continue
        return _within(text, outer.start, field, value, node)
    return None


def _within(text: str, start: int, field: Span, value: ast.expr, node: ast.expr) -> Span | None:
    """The range of a node of a replacement field's value."""
    code = text[field.start : field.end]
    wanted = ast.dump(value)
    ends = [i for i, character in enumerate(code) if character in "!:="] + [len(code)]
    for end in ends:
        try:
            parsed = ast.parse(f"({code[:end]}\n)", mode="eval").body
        except (SyntaxError, ValueError):
            continue
        if ast.dump(parsed) != wanted:
            continue
        pairs = zip(ast.walk(value), ast.walk(parsed), strict=True)
        found = next(other for mine, other in pairs if mine is node)
        assert isinstance(found, ast.expr)
        lines = f"({code[:end]}\n)".split("\n")
        offsets = [
            sum(len(line) + 1 for line in lines[: row - 1]) + len(lines[row - 1].encode()[:column].decode()) - 1
            for row, column in ((found.lineno, found.col_offset), (found.end_lineno or 0, found.end_col_offset or 0))
        ]
        return Span(start + field.start + offsets[0], start + field.start + offsets[1])
    return None
