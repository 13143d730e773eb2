"""The cells of a notebook joined to one program, and what a conversion made of it split into cells again."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from xlaport.notebook import placeholders
from xlaport.notebook.document import Cell, is_python
from xlaport.notebook.magics import mask

_NEWLINE = re.compile(r"\r\n|\r|\n")


class SplitError(Exception):
    """A text whose cells, or what is hidden in them, are no longer what they were."""


@dataclass(frozen=True)
class Part:
    """One cell in the joined text."""

    cell: Cell
    text: str
    """What Python reads of it."""
    problem: tuple[int, str] | None

    @property
    def is_hidden(self) -> bool:
        """Whether nothing of the cell is Python."""
        return self.text == placeholders.statement(self.cell.source)

    @property
    def is_open(self) -> bool:
        """Whether its last line needs a newline before the next cell."""
        return self.text != "" and not self.text.endswith(("\n", "\r"))


class Joined:
    """The Python cells of a notebook as one text."""

    def __init__(self, cells: Iterable[Cell]) -> None:
        masked = ((cell, mask(cell.source)) for cell in cells if is_python(cell.language))
        self.parts = tuple(Part(cell, m.text, m.problem) for cell, m in masked)
        pieces: list[str] = []
        self._first: list[int] = []
        """The line of the joined text with which each cell begins."""
        line = 1
        for index, part in enumerate(self.parts):
            fence = placeholders.fence(part.cell.number) if index else ""
            line += 1 if index else 0
            self._first.append(line)
            text = part.text + ("\n" if part.is_open else "")
            line += len(_NEWLINE.findall(text))
            pieces += [fence, text]
        self.text = "".join(pieces)

    @cached_property
    def newline(self) -> str:
        """The line ending that most lines of the cells have."""
        windows = sum(part.cell.source.count("\r\n") for part in self.parts)
        return "\r\n" if windows * 2 > sum(part.cell.source.count("\n") for part in self.parts) else "\n"

    def place(self, line: int) -> tuple[Cell, int]:
        """The cell of a line of the joined text, and the line in it."""
        index = max(bisect_right(self._first, line) - 1, 0)
        return self.parts[index].cell, max(line - self._first[index] + 1, 1)

    def line_name(self, line: int, seen_from: int) -> str:
        """What a message calls a line of the joined text that speaks of another one."""
        cell, number = self.place(line)
        return str(number) if cell == self.place(seen_from)[0] else f"{number} of cell {cell.number}"

    def split(self, text: str) -> dict[int, str]:
        """The new sources of the cells that changed, by their numbers. Raises `SplitError`."""
        if not self.parts:
            return {}
        found = placeholders.split(text)
        numbers = [None, *(part.cell.number for part in self.parts[1:])]
        if [number for number, _ in found] != numbers:
            raise SplitError("the edits reach across cells")
        changed: dict[int, str] = {}
        for part, (_, new) in zip(self.parts, found, strict=True):
            if placeholders.hidden_in(new) != placeholders.hidden_in(part.text):
                raise SplitError(f"the edits change a magic of cell {part.cell.number}")
            trimmed = _trimmed(part, new)
            if part.is_hidden and trimmed != part.text:
                raise SplitError(f"the edits change cell {part.cell.number}, which is not Python")
            source = placeholders.restored(trimmed)
            if source != part.cell.source:
                changed[part.cell.number] = source
        return changed


def _trimmed(part: Part, new: str) -> str:
    """The text of a cell without the newline that joining added, and the blank lines that were inside of it before."""
    if new == part.text + ("\n" if part.is_open else ""):
        return part.text
    if part.text.rstrip("\r\n") != part.text:
        return new
    new = new.rstrip("\r\n")
    return new if part.text[:1] in ("\n", "\r") else new.lstrip("\r\n")
