"""Where the expressions in f-strings stand: before Python 3.12, `ast` gives no exact positions there.

Each replacement field is found in the text, as CPython did before 3.12, and parsed again by itself; what comes out is
the same expression with positions that count from a known place. Whoever reads the tree afterwards need not ask.
"""

from __future__ import annotations

import ast
import re
import sys
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

ARE_EXACT = sys.version_info >= (3, 12)
"""Whether `ast` knows the places by itself."""

_OPENING = re.compile(r"([A-Za-z]{0,2})('''|\"\"\"|'|\")")
_CONVERSION = re.compile(r"\s*=?\s*(?:!\s*[rsa])?\s*")
_BLANK = re.compile(r"(?:[^#'\"A-Za-z]|#[^\r\n]*)+")
"""What stands between the literals of one string: blanks, newlines, backslashes, comments."""


@dataclass(frozen=True)
class Field:
    """A replacement field: where its brace opens, its expression, and what it holds behind that, in offsets."""

    start: int
    expression: tuple[int, int]
    format_spec: tuple[int, int] | None
    inner: tuple[Field, ...]
    """The fields in its format."""
    end: int
    """Behind the closing brace."""


class _UnknownError(Exception):
    """The text does not show where the fields are."""


def fields_of(text: str, start: int, end: int) -> list[Field] | None:
    """The fields of the literals that make up one string, in source order; None where that is not sure."""
    found: list[Field] = []
    try:
        for first, behind, _, prefix in _literals(text, start, end):
            if "f" in prefix:
                found += _fields(text, first, behind, "r" in prefix, 0)[0]
    except _UnknownError:
        return None
    return found


def _literals(text: str, start: int, end: int) -> Iterator[tuple[int, int, int, str]]:
    """Where the content of each literal of a string begins and ends, where its quotes end, and its prefix."""
    while True:
        blank = _BLANK.match(text, start, end)
        start = blank.end() if blank is not None else start
        if start == end:
            return
        opening = _OPENING.match(text, start, end)
        if opening is None:
            raise _UnknownError
        start = _end_of_literal(text, opening.end(), opening[2], end)
        yield opening.end(), start - len(opening[2]), start, opening[1].lower()


def _end_of_literal(text: str, position: int, quote: str, end: int) -> int:
    """The offset behind the quotes that close a literal whose body begins at `position`."""
    while position < end:
        if text.startswith(quote, position):
            return position + len(quote)
        position += 2 if text[position] == "\\" else 1  # a raw string cannot end behind a backslash, either
    raise _UnknownError


def _fields(text: str, position: int, end: int, is_raw: bool, depth: int) -> tuple[list[Field], int]:
    """The fields between two offsets, and where they end: in a format, at the brace that closes the field around it."""
    found: list[Field] = []
    while position < end:
        character = text[position]
        if character == "\\" and not is_raw:
            position += 1
            if text.startswith("N{", position):
                position = text.find("}", position, end)
                if position < 0:
                    raise _UnknownError
            elif text.startswith(("{", "}"), position):
                continue  # a backslash does not keep a brace from opening a field
            position += 1
        elif character in "{}" and depth == 0 and text.startswith(character * 2, position):
            position += 2
        elif character == "{":
            field = _field(text, position, end, is_raw, depth)
            found.append(field)
            position = field.end
        elif character == "}":
            if depth == 0:
                raise _UnknownError
            break
        else:
            position += 1
    return found, position


def _field(text: str, start: int, end: int, is_raw: bool, depth: int) -> Field:
    behind = _end_of_expression(text, start + 1, end)
    conversion = _CONVERSION.match(text, behind, end)
    assert conversion is not None
    position = conversion.end()
    spec: tuple[int, int] | None = None
    inner: list[Field] = []
    if text.startswith(":", position):
        inner, close = _fields(text, position + 1, end, is_raw, depth + 1)
        spec = (position + 1, close)
        position = close
    if position >= end or text[position] != "}":
        raise _UnknownError
    return Field(start, (start + 1, behind), spec, tuple(inner), position + 1)


def _end_of_expression(text: str, position: int, end: int) -> int:
    """Where the expression of a field ends: at a ``}``, ``!``, ``:`` or ``=`` outside of brackets and strings."""
    brackets = 0
    while position < end:
        character = text[position]
        if character in "'\"":
            quote = character * 3 if text.startswith(character * 3, position) else character
            position = _end_of_literal(text, position + len(quote), quote, end)
            continue
        if brackets == 0 and character in "!=<>" and text.startswith("=", position + 1):
            position += 2
            continue
        if brackets == 0 and character in "!:=}":
            return position
        brackets += (character in "([{") - (character in ")]}")
        position += 1
    raise _UnknownError


def literal_around(text: str, start: int, end: int, place: int) -> tuple[int, int, str] | None:
    """Where the content of the literal around an offset begins and ends, and its quotes; None if that is not sure."""
    try:
        found = next((one for one in _literals(text, start, end) if one[0] <= place <= one[1]), None)
    except _UnknownError:
        return None
    return (found[0], found[1], text[found[1] : found[2]]) if found is not None else None


class Placing:
    """Puts the positions in a file's f-strings right."""

    def __init__(self, text: str, starts: Sequence[int]) -> None:
        """`starts`: the offset at which each line begins."""
        self.text = text
        self.starts = starts

    def place(self, string: ast.JoinedStr) -> bool:
        """Give what is in an f-string, whose own place is right, its true places; False where they are not known."""
        assert string.end_lineno is not None
        assert string.end_col_offset is not None
        start = self._offset(string.lineno, string.col_offset)
        end = self._offset(string.end_lineno, string.end_col_offset)
        found = fields_of(self.text, start, end)
        return found is not None and self._place_all(string, found)

    def _place_all(self, string: ast.JoinedStr, found: Sequence[Field]) -> bool:
        values = [value for value in string.values if isinstance(value, ast.FormattedValue)]
        return len(values) == len(found) and all(map(self._place_one, values, found))

    def _place_one(self, value: ast.FormattedValue, field: Field) -> bool:
        if not self._place_expression(value.value, *field.expression):
            return False
        self._put(value, field.start, field.end)
        if not isinstance(value.format_spec, ast.JoinedStr) or field.format_spec is None:
            return not field.inner
        self._put(value.format_spec, *field.format_spec)
        return self._place_all(value.format_spec, field.inner)

    def _place_expression(self, node: ast.expr, start: int, end: int) -> bool:
        written = self.text[start:end]
        try:
            again = ast.parse(f"({written})", mode="eval").body
        except (SyntaxError, ValueError):
            return False
        if ast.dump(again) != ast.dump(node):
            return False
        line, column = self._position(start)
        for old, new in zip(ast.walk(node), ast.walk(again), strict=True):
            for name in ("lineno", "end_lineno"):
                if hasattr(new, name):
                    setattr(old, name, getattr(new, name) + line - 1)
            for name, of in (("col_offset", "lineno"), ("end_col_offset", "end_lineno")):
                if hasattr(new, name):
                    # One for the parenthesis that the field itself does not have.
                    setattr(old, name, getattr(new, name) + (column - 1 if getattr(new, of) == 1 else 0))
        if again.col_offset == 0 and again.lineno == 1:  # ``{a, b}`` took the parentheses for its own
            self._put(node, end - len(written.lstrip()), start + len(written.rstrip()))
        return True

    def _put(self, node: ast.expr, start: int, end: int) -> None:
        node.lineno, node.col_offset = self._position(start)
        node.end_lineno, node.end_col_offset = self._position(end)

    def _offset(self, line: int, column: int) -> int:
        """The offset of a position as `ast` gives it."""
        start = self.starts[line - 1]
        rest = self.text[start : self.starts[line] if line < len(self.starts) else len(self.text)]
        return start + (column if rest.isascii() else len(rest.encode()[:column].decode()))

    def _position(self, offset: int) -> tuple[int, int]:
        """A position as `ast` gives it: the column in bytes."""
        line = bisect_right(self.starts, offset)
        return line, len(self.text[self.starts[line - 1] : offset].encode())
