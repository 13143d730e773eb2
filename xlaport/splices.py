"""Splices: exact ranges of a text and what replaces them, how they are applied, and where that moves things."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from xlaport.finding import Span


@dataclass(frozen=True, order=True)
class Splice:
    """Put `text` in the place of the characters from `start` to `end`."""

    start: int
    end: int
    text: str
    origin: Span | None = field(default=None, compare=False)
    """What in the old text the new text stems from; None: from nothing."""
    copied: bool = field(default=False, compare=False)
    """The text is a copy of the old text at `origin`, character by character."""

    def conflicts(self, other: Splice) -> bool:
        """Whether the two cannot both be applied. Insertions at one place can."""
        if self.start == self.end or other.start == other.end:
            return (self.start < other.start < self.end) or (other.start < self.start < other.end)
        return self.start < other.end and other.start < self.end


def once(splices: Iterable[Splice]) -> list[Splice]:
    """The splices without repetitions. Equal statements that move to one place are no repetition: both were there."""
    return list({(s, s.origin if s.copied else None): s for s in splices}.values())


def apply(text: str, splices: Iterable[Splice]) -> str:
    """The text with all splices applied; they must not conflict. Those at one place keep their order."""
    pieces: list[str] = []
    done = 0
    for splice in sorted(splices, key=lambda s: (s.start, s.end)):
        pieces += [text[done : splice.start], splice.text]
        done = splice.end
    return "".join([*pieces, text[done:]])


class SpliceSet:
    """Splices that go together. Looking for a conflict takes no longer in a file with thousands of them."""

    def __init__(self) -> None:
        self._ranges: list[Splice] = []
        """Those that take text out, in order; no two of them overlap."""
        self._points: list[int] = []
        """The places of those that only put text in, in order."""

    def admits(self, splices: Iterable[Splice]) -> bool:
        """Whether none of the splices overlaps with one of the set. The same splice again does no harm."""
        return not any(self._conflicts(splice) for splice in splices)

    def add(self, splices: Iterable[Splice]) -> None:
        """Add splices that the set admits."""
        for splice in splices:
            if splice.start == splice.end:
                insort(self._points, splice.start)
            elif splice not in self._around(splice):
                insort(self._ranges, splice)

    def _conflicts(self, splice: Splice) -> bool:
        if any(other.conflicts(splice) and other != splice for other in self._around(splice)):
            return True
        inside = bisect_right(self._points, splice.start)
        return inside < len(self._points) and self._points[inside] < splice.end

    def _around(self, splice: Splice) -> list[Splice]:
        """The ranges that may touch a splice: one that begins before it, and all that begin in it."""
        first = bisect_left(self._ranges, splice.start, key=lambda s: s.start)
        last = bisect_right(self._ranges, splice.end, key=lambda s: s.start)
        return self._ranges[max(first - 1, 0) : last]


class Shift:
    """Where the places of a new text were in the old one, after some splices."""

    def __init__(self, splices: Iterable[Splice]) -> None:
        self._splices: Sequence[Splice] = sorted(splices, key=lambda s: (s.start, s.end))
        self._starts: list[int] = []
        """Where the text of each splice begins in the new text."""
        self._after: list[int] = []
        """How far the text behind each splice has moved."""
        moved = 0
        for splice in self._splices:
            self._starts.append(splice.start + moved)
            moved += len(splice.text) - (splice.end - splice.start)
            self._after.append(moved)

    def before(self, offset: int) -> int:
        """Where an offset was.

        Copied text maps to what it was copied from; new text maps to its origin, or to the beginning of what it
        stands for.
        """
        index = bisect_right(self._starts, offset) - 1
        if index < 0:
            return offset
        splice, inside = self._splices[index], offset - self._starts[index]
        if inside >= len(splice.text):
            return offset - self._after[index]
        if splice.origin is not None:
            return splice.origin.start + (inside if splice.copied else 0)
        return splice.start

    def added(self, offset: int) -> Splice | None:
        """What put the text at an offset in, if that stands for nothing of the old text."""
        index = bisect_right(self._starts, offset) - 1
        if index < 0:
            return None
        splice = self._splices[index]
        is_new = splice.start == splice.end and splice.origin is None
        return splice if is_new and offset - self._starts[index] < len(splice.text) else None

    def within(self, start: int, end: int) -> list[Splice]:
        """The splices that put something new into a range of the new text."""
        first, behind = max(bisect_right(self._starts, start) - 1, 0), bisect_left(self._starts, end)
        return [
            splice
            for begin, splice in zip(self._starts[first:behind], self._splices[first:behind], strict=True)
            if begin + len(splice.text) > start and not splice.copied
        ]

    def end_before(self, offset: int) -> int:
        """The same for the end of a range: behind new text it maps to the end of what that stands for."""
        index = bisect_left(self._starts, offset) - 1
        if index < 0:
            return offset
        splice, inside = self._splices[index], offset - self._starts[index]
        if inside > len(splice.text):
            return offset - self._after[index]
        if splice.origin is not None:
            return splice.origin.start + inside if splice.copied else splice.origin.end
        return splice.end
