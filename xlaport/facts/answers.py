"""Answers to questions that ask each other in circles, each worked out once."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

T = TypeVar("T")


class Answers(Generic[T]):
    """Keeps what was found for each question, where one may ask others and in the end itself.

    What was found behind such a circle holds only until the question that closes it has its answer: it is kept up to
    there, and forgotten then. Without that, each way through `n` branches that follow each other would be walked,
    which are `2 ** n`.
    """

    def __init__(self, unknown: T, depth: int) -> None:
        """`unknown`: the answer to a question that is asked on the way to more than `depth` others."""
        self._unknown = unknown
        self._depth = depth
        self._found: dict[Hashable, T] = {}
        self._until: dict[Hashable, tuple[T, int]] = {}
        """What holds until the open question at a depth is answered."""
        self._open: dict[Hashable, int] = {}
        self._cut = depth
        """The least depth of an open question that the present one has asked again."""

    def of(self, question: Hashable, answer: Callable[[], T], again: T) -> T:
        """What was found for a question, or what `answer` finds; `again` where it is asked on the way to that."""
        if question in self._found:
            return self._found[question]
        if question in self._open:
            self._cut = min(self._cut, self._open[question])
            return again
        depth = len(self._open)
        if depth >= self._depth:
            self._cut = 0
            return self._unknown
        if question in self._until:
            found, until = self._until[question]
            self._cut = min(self._cut, until)
            return found
        around, self._cut = self._cut, self._depth
        self._open[question] = depth
        try:
            found = answer()
        finally:
            del self._open[question]
            own, self._cut = self._cut, around
        if own < depth:
            self._until[question] = found, own
            self._cut = min(around, own)
        else:
            self._found[question] = found
            if self._until:
                self._until = {asked: kept for asked, kept in self._until.items() if kept[1] < depth}
        return found
