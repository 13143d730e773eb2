"""Values in brackets: JSON, and TOML's arrays and inline tables, read by one reader.

It reads what is well-formed, keeps the place of each scalar, and gives up (`Unreadable`) on anything else.
"""

from __future__ import annotations

import enum
import re

from xlaport.documents.entry import ITEM, Entry, Unreadable
from xlaport.finding import Span


class Dialect(enum.Enum):
    """Whose brackets these are: how comments begin, and what stands between key and value."""

    JSON = "json"
    TOML = "toml"


_SPACE = {
    # Comments are no part of JSON, but of what editors read as JSON.
    Dialect.JSON: re.compile(r"(?:\s+|//[^\r\n]*|/\*.*?\*/)*", re.DOTALL),
    Dialect.TOML: re.compile(r"(?:\s+|#[^\r\n]*)*"),
}
_BARE = {
    Dialect.JSON: re.compile(r"[^\s,:\[\]{}\"']+"),
    Dialect.TOML: re.compile(r"[^\r\n,\[\]{}\"'#=]+"),
}
_KEY = {
    Dialect.JSON: re.compile(r"(?!)"),
    Dialect.TOML: re.compile(r"[\w-]+"),
}


class Reader:
    """Reads values of one text; `entries` holds the scalars met so far."""

    def __init__(self, text: str, dialect: Dialect) -> None:
        self.text = text
        self.dialect = dialect
        self.entries: list[Entry] = []

    def value(self, start: int, keys: tuple[str, ...]) -> int:
        """Read the value at `start`; returns the offset behind it."""
        start = self.skip(start)
        opening = self.text[start : start + 1]
        if opening == "{":
            return self._mapping(start + 1, keys)
        if opening == "[":
            return self._list(start + 1, (*keys, ITEM))
        return self._scalar(start, keys)

    def skip(self, start: int) -> int:
        """The offset behind spaces, line ends and comments."""
        found = _SPACE[self.dialect].match(self.text, start)
        return found.end() if found else start

    def string(self, start: int) -> Span:
        """The inside of the quoted string at `start`; its quotes are as long as what stands before it."""
        text, quote = self.text, self.text[start]
        if self.dialect is Dialect.JSON and quote == "'":
            raise Unreadable
        if self.dialect is Dialect.TOML and text.startswith(quote * 3, start):
            return Span(start + 3, self._end_of_block(start + 3, quote))
        pattern = _DOUBLE if quote == '"' else _LITERAL
        found = pattern.match(text, start)
        if found is None:
            raise Unreadable
        return Span(start + 1, found.end() - 1)

    def key(self, start: int) -> tuple[tuple[str, ...], int]:
        """The key at `start` (TOML's may have several parts), and the offset behind it and its separator."""
        parts: list[str] = []
        while True:
            if self.text[start : start + 1] in ('"', "'"):
                inner = self.string(start)
                parts.append(self.text[inner.start : inner.end])
                start = inner.end + 1
            else:
                found = _KEY[self.dialect].match(self.text, start)
                if found is None:
                    raise Unreadable
                parts.append(found[0])
                start = found.end()
            start = self.skip(start)
            mark = self.text[start : start + 1]
            if mark == "." and self.dialect is Dialect.TOML:
                start = self.skip(start + 1)
            elif mark == ("=" if self.dialect is Dialect.TOML else ":"):
                return tuple(parts), start + 1
            else:
                raise Unreadable

    def _mapping(self, start: int, keys: tuple[str, ...]) -> int:
        while True:
            start = self.skip(start)
            if self.text[start : start + 1] == "}":
                return start + 1
            key, start = self.key(start)
            start = self.value(start, (*keys, *key))
            start = self._separator(start, "}")

    def _list(self, start: int, keys: tuple[str, ...]) -> int:
        while True:
            start = self.skip(start)
            if self.text[start : start + 1] == "]":
                return start + 1
            start = self.value(start, keys)
            start = self._separator(start, "]")

    def _separator(self, start: int, closing: str) -> int:
        start = self.skip(start)
        mark = self.text[start : start + 1]
        if mark == ",":
            return start + 1
        if mark == closing:
            return start
        raise Unreadable

    def _scalar(self, start: int, keys: tuple[str, ...]) -> int:
        if self.text[start : start + 1] in ('"', "'"):
            inner = self.string(start)
            width = inner.start - start
            outer = Span(start, inner.end + width)
        else:
            found = _BARE[self.dialect].match(self.text, start)
            if found is None:
                raise Unreadable
            outer = inner = Span(start, start + len(found[0].rstrip()))
        self.entries.append(Entry(keys, self.text[inner.start : inner.end], outer, inner))
        return outer.end

    def _end_of_block(self, start: int, quote: str) -> int:
        """Where TOML's long string ends: its last three quotes do not belong to it."""
        pattern = _LONG_DOUBLE if quote == '"' else _LONG_LITERAL
        found = pattern.match(self.text, start)
        if found is None:
            raise Unreadable
        return found.end() - 3


_DOUBLE = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_LITERAL = re.compile(r"'[^'\r\n]*'")
_LONG_DOUBLE = re.compile(r'(?:[^"\\]|\\.|"{1,2}(?!"))*?"{3,5}(?!")', re.DOTALL)
_LONG_LITERAL = re.compile(r"(?:[^']|'{1,2}(?!'))*?'{3,5}(?!')", re.DOTALL)
