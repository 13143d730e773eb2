"""What fixes do to the lines of a file: what a conversion changed, and what one fix would change by itself."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from xlaport.report.matching import LineMatcher
from xlaport.result import FileResult, ReportedFinding, TextEdit


@dataclass(frozen=True)
class Hunk:
    """Some lines of a file, and what stands in their place. `start` is the first of them, from 1."""

    start: int
    removed: tuple[str, ...]
    added: tuple[str, ...]

    @property
    def end(self) -> int:
        """The line behind the last one that is removed."""
        return self.start + len(self.removed)

    def is_part_of(self, other: Hunk) -> bool:
        """Whether all lines that go and come here do so there, in this order."""
        rest = iter(other.added)
        is_inside = other.start <= self.start and self.end <= other.end
        return is_inside and all(line in rest for line in self.added)

    def rows(self) -> list[tuple[int | None, str, str]]:
        """The lines with their number in the file as it was, and ``-`` or ``+``."""
        rows: list[tuple[int | None, str, str]] = [(self.start + i, "-", line) for i, line in enumerate(self.removed)]
        return rows + [(None, "+", line) for line in self.added]


class Changes:
    """One file: where its conversion changed it."""

    def __init__(self, file: FileResult) -> None:
        self.file = file

    @cached_property
    def hunks(self) -> tuple[Hunk, ...]:
        """All changes of the file, in its order, without the lines around them."""
        if not self.file.changed:
            return ()
        return tuple(
            Hunk(a + 1, tuple(self.before[a:b]), tuple(self.after[c:d]))
            for tag, a, b, c, d in self._matcher.get_opcodes()
            if tag != "equal"
        )

    def groups(self, around: int) -> Iterator[list[tuple[str, int, int, int, int]]]:
        """The changes with so many lines `around`, as `difflib` groups them."""
        return iter(self._matcher.get_grouped_opcodes(around))

    @cached_property
    def before(self) -> list[str]:
        """The lines of the file."""
        return lines(self.file.before)

    @cached_property
    def after(self) -> list[str]:
        """The lines of its port."""
        return lines(self.file.after)

    @cached_property
    def _matcher(self) -> LineMatcher:
        return LineMatcher(self.before, self.after)

    def now(self, line: int) -> int | None:
        """Where a line (from 1) of the file is after the conversion; None where it is not the same line."""
        moved = 0
        for hunk in self.hunks:
            if hunk.start > line:
                break
            if line < hunk.end:
                return None
            moved += len(hunk.added) - len(hunk.removed)
        return line + moved

    def of(self, finding: ReportedFinding) -> list[Hunk]:
        """What became of the lines that a fixed finding speaks of.

        That is what its own fix does, if the new text has it so, else the changes in which others have a part. Lines of
        a cell are not those of the file: nothing is known of them.
        """
        if finding.cell is not None:
            return []
        own = offer(self.file, finding)
        places = {line for hunk in own for line in range(hunk.start, max(hunk.end, hunk.start + 1))}
        places = places or set(range(finding.line, finding.end_line + 1))
        near = list(dict.fromkeys(hunk for line in sorted(places) if (hunk := self._at(line)) is not None))
        return own if own and all(any(hunk.is_part_of(other) for other in near) for hunk in own) else near

    def _at(self, line: int) -> Hunk | None:
        """The change that takes a line away, or puts something in front of it."""
        index = bisect_right(self._starts, line) - 1
        hunk = self.hunks[index] if index >= 0 else None
        return hunk if hunk is not None and line < max(hunk.end, hunk.start + 1) else None

    @cached_property
    def _starts(self) -> list[int]:
        return [hunk.start for hunk in self.hunks]


def offer(file: FileResult, finding: ReportedFinding) -> list[Hunk]:
    """What the fix of a finding would change by itself, without the imports that it needs."""
    if finding.fix is None or finding.cell is not None:
        return []
    return alone(file.before, finding.fix.edits)


def alone(text: str, edits: Iterable[TextEdit]) -> list[Hunk]:
    """What some edits change in a text."""
    starts = line_starts(text)
    groups: list[tuple[int, int, list[TextEdit]]] = []
    for edit in sorted(edits, key=lambda e: (e.start, e.end)):
        first, last = _line_at(starts, edit.start), _line_at(starts, edit.end)
        if groups and first <= groups[-1][1]:
            before, end, together = groups.pop()
            groups.append((before, max(end, last), [*together, edit]))
        else:
            groups.append((first, last, [edit]))
    found = []
    for first, last, together in groups:
        old = text[starts[first] : starts[last + 1] if last + 1 < len(starts) else len(text)]
        new = applied(old, together, starts[first])
        hunk = _trimmed(first + 1, lines(old), lines(new))
        if hunk.removed or hunk.added:
            found.append(hunk)
    return found


def applied(text: str, edits: Iterable[TextEdit], offset: int = 0) -> str:
    """`text`, which begins at `offset` of the file, with the edits done. Those at one place keep their order."""
    pieces, done = [], 0
    for edit in sorted(edits, key=lambda e: (e.start, e.end)):
        pieces += [text[done : edit.start - offset], edit.text]
        done = edit.end - offset
    return "".join([*pieces, text[done:]])


def lines(text: str) -> list[str]:
    """The lines as Python counts them, without their ends; `str.splitlines` knows more ends."""
    found = _LINE_END.split(text)
    return found if found[-1] else found[:-1]


@lru_cache(maxsize=2)
def line_starts(text: str) -> tuple[int, ...]:
    """Where each line begins. Asked for each fix of a file."""
    return (0, *(match.end() for match in _LINE_END.finditer(text)))


def position(offset: int, starts: Sequence[int]) -> tuple[int, int]:
    """The line and the column of an offset, from 1."""
    line = bisect_right(starts, offset)
    return line, offset - starts[line - 1] + 1


def _line_at(starts: Sequence[int], offset: int) -> int:
    """The line, from 0, that an offset lies in."""
    return bisect_right(starts, offset) - 1


def _trimmed(first: int, old: Sequence[str], new: Sequence[str]) -> Hunk:
    """Only the lines that differ."""
    limit = min(len(old), len(new))
    head = 0
    while head < limit and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < limit - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    return Hunk(first + head, tuple(old[head : len(old) - tail]), tuple(new[head : len(new) - tail]))


_LINE_END = re.compile(r"\r\n|\r|\n")
