"""The text of a notebook with new sources of some cells, and no other change."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import cached_property

from xlaport.finding import Span
from xlaport.notebook.document import Cell, strings
from xlaport.splices import Splice, apply

_RAW_LINE = re.compile(r"(?:[^\\]|\\u[0-9a-fA-F]{4}|\\[^n])*?(?:\\n|\Z)", re.DOTALL)
_LINE = re.compile(r"[^\n]*(?:\n|\Z)")


def rewritten(text: str, cells: Sequence[Cell], sources: Mapping[int, str]) -> str:
    """The notebook's text with the sources of some cells, by their numbers, in the place of the old ones.

    A source stays a string or a list of lines, with the blanks between them; lines that stay keep their spelling.
    """
    style = _Style(text, cells)
    splices = [
        Splice(cell.span.start, cell.span.end, style.written(cell, sources[cell.number]))
        for cell in cells
        if cell.number in sources
    ]
    return apply(text, splices)


class _Style:
    """How a notebook spells its strings and lists."""

    def __init__(self, text: str, cells: Sequence[Cell]) -> None:
        self.text = text
        self.cells = cells
        self.is_ascii = text.isascii()

    @cached_property
    def escapes_slashes(self) -> bool:
        """Whether ``/`` is written as backslash and slash."""
        raw = "".join(self.text[cell.span.start : cell.span.end] for cell in self.cells)
        return "\\/" in raw and "/" not in raw.replace("\\\\", "").replace("\\/", "")

    def written(self, cell: Cell, source: str) -> str:
        """A source as JSON, in the form of the one that the cell has."""
        old = strings(self.text, cell.span)
        spelled = {json.loads(f'"{raw}"', strict=False): raw for span in old for raw in _raw_lines(self._content(span))}
        lines = [spelled.get(line) or self._spelled(line) for line in _lines(source)]
        if not self._is_list(cell):
            return f'"{"".join(lines)}"'
        if not lines:
            return "[]"
        opening, between, closing = self._blanks(cell, old)
        return f"[{opening}" + between.join(f'"{line}"' for line in lines) + f"{closing}]"

    def _is_list(self, cell: Cell) -> bool:
        return self.text[cell.span.start] == "["

    def _content(self, span: Span) -> str:
        return self.text[span.start + 1 : span.end - 1]

    def _spelled(self, line: str) -> str:
        # A lone surrogate is no text: it can only be written as an escape.
        is_text = not any("\ud800" <= character <= "\udfff" for character in line)
        raw = json.dumps(line, ensure_ascii=self.is_ascii or not is_text)[1:-1]
        return raw.replace("/", "\\/") if self.escapes_slashes else raw

    def _blanks(self, cell: Cell, old: Sequence[Span]) -> tuple[str, str, str]:
        """What stands before the first line of a list, between two, and behind the last."""
        if not old:
            other = next((c for c in self.cells if self._is_list(c) and strings(self.text, c.span)), None)
            return self._blanks(other, strings(self.text, other.span)) if other is not None else ("", ", ", "")
        opening = self.text[cell.span.start + 1 : old[0].start]
        closing = self.text[old[-1].end : cell.span.end - 1]
        if len(old) > 1:
            return opening, self.text[old[0].end : old[1].start], closing
        if opening:
            return opening, f",{opening}", closing
        # One line in a list that is not spread over lines says nothing of what would stand between two.
        for other in self.cells:
            spans = strings(self.text, other.span) if self._is_list(other) else []
            if len(spans) > 1:
                return opening, self.text[spans[0].end : spans[1].start], closing
        return opening, ", ", closing


def _raw_lines(raw: str) -> list[str]:
    """The lines of a string as JSON spells it, each with the newline that ends it."""
    return [line for line in _RAW_LINE.findall(raw) if line]


def _lines(source: str) -> list[str]:
    return [line for line in _LINE.findall(source) if line]
