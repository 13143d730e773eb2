"""Questions that lead to each other: each is answered once, and one that leads back to itself stays open."""

from __future__ import annotations

from collections.abc import Callable, MutableMapping

from xlaport.facts.role import OPEN, Fact

_MAX_DEPTH = 60
_MAX_QUESTIONS = 2000
_FINAL = 1 << 30


class Asking:
    """The questions that are open, over all files that are asked together."""

    def __init__(self) -> None:
        self._asked: dict[object, int] = {}
        """The questions that are open, with their depth."""
        self._rests_on = _FINAL
        """The least depth of an open question that the present answer rests on."""
        self._budget = _MAX_QUESTIONS
        self._until: dict[object, tuple[Fact | None, int]] = {}
        """What holds as long as the open question at a depth has no answer of its own."""
        self._behind: dict[int, list[object]] = {}
        """The keys of `_until`, by that depth."""

    def ask(
        self, known: MutableMapping[object, Fact | None], key: object, answer: Callable[[], Fact | None]
    ) -> Fact | None:
        """An answer, once for each question. One that rests on a question still open is remembered until that has one.

        Without the latter, each way through names that are made of each other would be walked, which are `2 ** n`.
        """
        if key in known:
            return known[key]
        if key in self._asked:
            self._rests_on = min(self._rests_on, self._asked[key])
            return OPEN
        if key in self._until:
            fact, until = self._until[key]
            self._rests_on = min(self._rests_on, until)
            return fact
        depth = len(self._asked)
        if depth == 0:
            self._budget = _MAX_QUESTIONS
        if depth > _MAX_DEPTH or self._budget <= 0:
            self._rests_on = 0
            return None
        self._budget -= 1
        before, self._rests_on = self._rests_on, _FINAL
        self._asked[key] = depth
        try:
            fact = answer()
        finally:
            del self._asked[key]
        for behind in self._behind.pop(depth, ()):
            self._until.pop(behind, None)
        if self._rests_on >= depth:
            self._rests_on = _FINAL
            fact = None if fact is OPEN else fact
            known[key] = fact
        else:
            self._until[key] = fact, self._rests_on
            self._behind.setdefault(self._rests_on, []).append(key)
        self._rests_on = min(before, self._rests_on)
        return fact
