"""The scalars of a YAML text, with their keys and exact places.

A scanner of lines, not a parser of YAML: block style by indentation, flow style by `flow.Reader`. Where a line
is beyond it (complex keys, tabs for indentation) the whole file is `Unreadable`, and a scalar that runs over
several lines is passed over: what is yielded is what a parser would find there, with the same text.
"""

from __future__ import annotations

import re

from xlaport.documents.document import NEWLINE
from xlaport.documents.entry import ITEM, Entry, Unreadable
from xlaport.documents.flow import Dialect, Reader
from xlaport.rule import Span

_DASH = re.compile(r"-(?=[ \t\r\n]|$)[ \t]*")
_KEY = re.compile(
    r"""(?: "(?P<double>(?:[^"\\\r\n]|\\.)*)" | '(?P<single>(?:[^'\r\n]|'')*)'
          | (?P<plain>(?![\[{"'|>%@`#&*!,\]}])(?:[^\s:#]|:(?=\S)|(?<=\S)\#|[ \t]+(?![\s\#:])|[ \t]+(?=:\S))+) )
        [ \t]*:(?=[ \t\r\n]|$)[ \t]*""",
    re.VERBOSE,
)
_PLAIN = re.compile(r"(?:[^\s#]|(?<=\S)#|[ \t]+(?![\s#]))+")
_PROPERTIES = re.compile(r"(?:[&!][^\s]*(?:[ \t]+|(?=[\r\n])|$))+")
_BLOCK = re.compile(r"[|>][-+0-9]*[ \t]*(?:(?<=[ \t])#[^\r\n]*)?(?=[\r\n]|$)")
_REST = re.compile(r"[ \t]*(?:(?<=[ \t])#[^\r\n]*)?(?=[\r\n]|$)")


def read(text: str) -> list[Entry]:
    """The scalars of a YAML text. Raises `Unreadable`."""
    return _Scanner(text).read()


class _Scanner:
    def __init__(self, text: str) -> None:
        self.text = text
        self.flow = Reader(text, Dialect.YAML)
        self.entries = self.flow.entries
        self.stack: list[tuple[int, str]] = []
        """The keys and list items that are open, each with its column."""
        self.waiting: int | None = None
        """The column of a key whose value has not come yet."""

    def read(self) -> list[Entry]:
        start = 0
        while start < len(self.text):
            start = self._next_line(self._line(start))
        return self.entries

    def _next_line(self, start: int) -> int:
        found = NEWLINE.search(self.text, start)
        return found.end() if found else len(self.text)

    def _line(self, start: int) -> int:
        """Read the line at `start`, and those that belong to its value; returns an offset in the last one."""
        text = self.text
        position = start + _width(text, start)
        if text[position : position + 1] in ("", "\r", "\n", "#"):
            return position
        if text[position] == "\t":
            raise Unreadable
        if position == start and text.startswith(("---", "...", "%"), start):
            self.stack.clear()
            self.waiting = None
            if not _REST.match(text, start + 3) and text[start] != "%":
                raise Unreadable
            return position
        waiting, self.waiting = self.waiting, None
        is_item = False
        while dash := _DASH.match(text, position):
            column = position - start
            self._close(column, keep_key=True)
            self.stack.append((column, ITEM))
            is_item = True
            position = dash.end()
        column = position - start
        key = _KEY.match(text, position)
        if key is not None:
            self._close(column, keep_key=False)
            name = next(part for part in key.group("double", "single", "plain") if part is not None)
            self.stack.append((column, name))
            return self._value(key.end(), column)
        if text.startswith(("? ", "?\n", "?\r"), position):
            raise Unreadable
        if is_item:
            return self._value(position, self.stack[-1][0])
        if waiting is not None and column > waiting:
            return self._value(position, waiting)
        if not self.stack and not self.entries:
            return self._value(position, -1)  # a text that is one value
        raise Unreadable

    def _close(self, column: int, keep_key: bool) -> None:
        while self.stack and (
            self.stack[-1][0] > column or (self.stack[-1][0] == column and not (keep_key and self.stack[-1][1] != ITEM))
        ):
            self.stack.pop()

    def _value(self, start: int, parent: int) -> int:
        """Read the value at `start` of a node in column `parent`."""
        text = self.text
        if properties := _PROPERTIES.match(text, start):
            start = properties.end()
        if _REST.match(text, start):
            self.waiting = parent
            return start
        keys = tuple(key for _, key in self.stack)
        first = text[start]
        if _BLOCK.match(text, start):
            return self._skip_deeper(start, parent)
        if first == "*":
            return start
        if first in "[{":
            return self._whole(self.flow.value(start, keys))
        if first in "\"'":
            inner = self.flow.string(start)
            if "\n" not in text[inner.start : inner.end] and "\r" not in text[inner.start : inner.end]:
                self.entries.append(Entry(keys, text[inner.start : inner.end], Span(start, inner.end + 1), inner))
            return self._whole(inner.end + 1)
        found = _PLAIN.match(text, start)
        if found is None or first in "%@`|>,]}":
            raise Unreadable
        end = self._skip_deeper(start, parent)
        if end == start:  # else it runs over several lines
            span = Span(start, found.end())
            self.entries.append(Entry(keys, found[0], span, span))
        return end

    def _whole(self, end: int) -> int:
        """`end`, if nothing but a comment follows it on its line."""
        if not _REST.match(self.text, end):
            raise Unreadable
        return end

    def _skip_deeper(self, start: int, parent: int) -> int:
        """An offset in the last of the lines behind `start` that lie deeper than `parent`; `start`, if none does."""
        last = start
        line = self._next_line(start)
        while line < len(self.text):
            column = _width(self.text, line)
            if self.text[line + column : line + column + 1] not in ("\r", "\n", ""):
                if column <= parent:
                    break
                last = line
            line = self._next_line(line)
        return last


def _width(text: str, start: int) -> int:
    """How many spaces stand at `start`."""
    end = start
    while text.startswith(" ", end):
        end += 1
    return end - start
