"""Which unsafe fixes a port needs: the loop of conversions and runs.

The safe fixes come first. Where the run shows that they are not enough, the unsafe ones are tried: those that the rules
name for what was seen, then all. A set is kept only where its run is better than what was kept before, and trains as
the original does; one that parts from the original is halved until what does it is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

from xlaport.port.attempt import Attempt, Codes

SAFE: Codes = frozenset()
_OF_A_TRIAL = 2
"""Runs that a set needs: one to be judged, and one to be compared."""


class Bench(Protocol):
    """What converts and runs."""

    @property
    def runs(self) -> int:
        """How often the script has run so far, the original among them."""

    def attempt(self, unsafe: Codes) -> Attempt:
        """A conversion with the unsafe fixes of some rules, run and judged."""

    def compared(self, attempt: Attempt) -> Attempt:
        """The same, compared with the original."""

    def offered(self) -> Codes:
        """The rules that have an unsafe fix here."""


@dataclass(frozen=True)
class Outcome:
    """What the search came to: the attempt that is kept, all in their order, and the rules that part from the original.

    `unfinished`: sets were left untried, since the script had run as often as it may.
    """

    kept: Attempt
    attempts: tuple[Attempt, ...]
    rejected: Codes = frozenset()
    unfinished: bool = False


def search(bench: Bench, most_runs: int, tell: Callable[[Attempt], None] = lambda attempt: None) -> Outcome:
    """The best conversion that the runs show to hold. `tell` gets each attempt once it is known."""
    return _Search(bench, most_runs, tell).outcome()


class _Search:
    def __init__(self, bench: Bench, most_runs: int, tell: Callable[[Attempt], None]) -> None:
        self._bench, self._most, self._tell = bench, most_runs, tell
        self._attempts: list[Attempt] = []
        self._rejected: set[str] = set()
        self._unfinished = False

    def outcome(self) -> Outcome:
        best = self._bench.attempt(SAFE)
        if best.passes or best.verdict.steps:
            best = self._bench.compared(best)
        self._note(best)
        # Where the safe fixes part from the original, or cannot be compared, nothing could be told of the others.
        if not best.passes and (best.agrees or best.verdict.parity is None):
            best = self._with_unsafe(best)
        return Outcome(best, tuple(self._attempts), frozenset(self._rejected), self._unfinished)

    def _with_unsafe(self, best: Attempt) -> Attempt:
        offered = self._bench.offered()
        for wanted in _ladder(best.blamed & offered, offered):
            best = self._try(wanted, best)
            if best.passes:
                break
        return best

    def _try(self, wanted: Codes, best: Attempt) -> Attempt:
        """The better of `best` and what of some rules can go with it, without those that part from the original."""
        suspects = [wanted - best.unsafe - self._rejected]
        while suspects:
            more = suspects.pop()
            choice = best.unsafe | more
            known = next((attempt for attempt in self._attempts if attempt.unsafe == choice), None)
            if not more or (known is None and not self._may_run()):
                continue
            attempt = known or self._run(choice, best)
            if not attempt.parts:
                best = attempt if attempt.cost < best.cost and attempt.agrees else best
            elif len(more) == 1:
                self._rejected |= more
            else:
                suspects += _halves(more)
        return best

    def _may_run(self) -> bool:
        left = self._most - self._bench.runs >= _OF_A_TRIAL
        self._unfinished = self._unfinished or not left
        return left

    def _run(self, choice: Codes, best: Attempt) -> Attempt:
        attempt = self._bench.attempt(choice)
        if attempt.cost < best.cost:
            attempt = self._bench.compared(attempt)
        self._note(attempt)
        return attempt

    def _note(self, attempt: Attempt) -> None:
        self._attempts.append(attempt)
        self._tell(attempt)


def _ladder(blamed: Codes, offered: Codes) -> Iterator[Codes]:
    """The sets to try: what is named for what was seen, then all."""
    if blamed and blamed != offered:
        yield blamed
    if offered:
        yield offered


def _halves(choice: Codes) -> list[Codes]:
    codes = sorted(choice)
    middle = len(codes) // 2
    return [frozenset(codes[middle:]), frozenset(codes[:middle])]
