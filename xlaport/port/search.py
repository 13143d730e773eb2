"""Which unsafe fixes a port needs: the loop of conversions and runs.

The safe fixes come first. Where the run shows that they are not enough, the unsafe ones are tried: those that the rules
name for what was seen with their families, then all. What ran best is compared with the original, and kept if it trains
as that does; if not, the set is halved until what parts from the original is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

from xlaport.port.attempt import Attempt, Codes

SAFE: Codes = frozenset()
FEW_STALLS = 0.1
"""Reads per steady step that the host waits for, below which nothing more is tried: a log now and then."""
_FAMILY = len("XP3")
"""How much of its code tells the family of a rule."""
_TO_JUDGE, _TO_COMPARE = 1, 1
"""Runs of the port that these take; the first comparison takes one more, of the original."""


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
        self._attempts: dict[Codes, Attempt] = {}
        self._rejected: set[str] = set()
        self._unfinished = False

    def outcome(self) -> Outcome:
        safe = self._judged(SAFE)
        best = safe
        offered = SAFE if _is_enough(safe) else self._bench.offered()
        for wanted in _ladder(safe.blamed & offered, offered):
            # Two runs are left for a comparison, one of them the original's.
            if not _is_enough(best) and self._may_run(_TO_JUDGE + 1 + _TO_COMPARE):
                best = min(best, self._judged(wanted), key=lambda attempt: attempt.cost)
        kept = self._compared(best) if best.verdict.steps else best
        if kept.unsafe and not kept.agrees:
            kept = self._holding(kept)
        return Outcome(kept, tuple(self._attempts.values()), frozenset(self._rejected), self._unfinished)

    def _holding(self, parting: Attempt) -> Attempt:
        """What of a set can be kept, which does not train as the original does, or cannot be compared with it."""
        safe = self._attempts[SAFE]
        kept = self._compared(safe) if safe.verdict.steps and self._may_run(_TO_COMPARE) else safe
        # Where the safe fixes part from the original, too, nothing can be told of the others.
        suspects = _halves(parting.unsafe) if parting.parts and not kept.parts else []
        if parting.parts and len(parting.unsafe) == 1 and not kept.parts:
            self._rejected |= parting.unsafe
        while suspects:
            more = suspects.pop()
            choice = kept.unsafe | more
            if choice not in self._attempts and not self._may_run(_TO_JUDGE + _TO_COMPARE):
                continue
            attempt = self._attempts.get(choice) or self._judged(choice)
            if not attempt.cost < kept.cost and not attempt.parts:
                continue
            attempt = self._compared(attempt)
            if attempt.agrees:
                kept = attempt
            elif attempt.parts and len(more) == 1:
                self._rejected |= more
            elif attempt.parts:
                suspects += _halves(more)
        return kept

    def _may_run(self, times: int) -> bool:
        is_left = self._most - self._bench.runs >= times
        self._unfinished = self._unfinished or not is_left
        return is_left

    def _judged(self, unsafe: Codes) -> Attempt:
        return self._noted(self._bench.attempt(unsafe))

    def _compared(self, attempt: Attempt) -> Attempt:
        return attempt if attempt.verdict.parity is not None else self._noted(self._bench.compared(attempt))

    def _noted(self, attempt: Attempt) -> Attempt:
        self._attempts[attempt.unsafe] = attempt
        self._tell(attempt)
        return attempt


def _is_enough(attempt: Attempt) -> bool:
    return attempt.passes and attempt.stalls <= FEW_STALLS


def _ladder(blamed: Codes, offered: Codes) -> Iterator[Codes]:
    """The sets to try: what is named for what was seen, with what is of the same family, then all.

    Where one read goes, the next one waits in its place: the fixes of a family are tried in one run.
    """
    families = {code[:_FAMILY] for code in blamed}
    kin = frozenset(code for code in offered if code[:_FAMILY] in families)
    if kin and kin != offered:
        yield kin
    if offered:
        yield offered


def _halves(choice: Codes) -> list[Codes]:
    codes = sorted(choice)
    middle = len(codes) // 2
    if not middle:
        return []
    return [frozenset(codes[middle:]), frozenset(codes[:middle])]
