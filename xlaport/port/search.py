"""Which unsafe fixes a port needs: the loop of conversions and runs.

The safe fixes come first, and where the run shows that they are not enough, the unsafe ones: those that the rules name
for what was seen with their families, then all. What the code itself shows to wait in every step, to compile again, to
compute something else, or to stop with an error, needs no run to be seen: the fixes of that come before the safe ones
alone; of few runs, only those of errors.
What ran best is compared with the original, and kept if it trains as that does; if not, the set is halved until what
parts from the original is left out: a rule, or one of the lines that it changes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from xlaport.port.attempt import Attempt, Codes, Offer

SAFE: Codes = frozenset()
FEW_STALLS = 0.1
"""Reads per steady step that the host waits for, below which nothing more is tried: a log now and then."""
_FAMILY = len("XP3")
"""How much of its code tells the family of a rule."""
_TO_JUDGE, _TO_COMPARE = 1, 1
"""Runs of the port that these take; the first comparison takes one more, of the original."""
_TO_ANSWER = _TO_JUDGE + _TO_COMPARE + 1
"""Runs that it takes until the first set is compared."""


class Bench(Protocol):
    """What converts and runs."""

    @property
    def runs(self) -> int:
        """How often the script has run so far, the original among them."""

    def attempt(self, unsafe: Codes) -> Attempt:
        """A conversion with the unsafe fixes of some rules, run and judged."""

    def compared(self, attempt: Attempt) -> Attempt:
        """The same, compared with the original."""

    def offered(self) -> Offer:
        """What unsafe fixes there are here."""


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
        best = self._best()
        if best.original_stops:
            return Outcome(best, tuple(self._attempts.values()))
        kept = self._compared(best) if best.verdict.steps else best
        if kept.unsafe and not kept.agrees:
            kept = self._holding(kept)
        if kept.parts and not kept.unsafe:
            kept = self._mended(kept)
        return Outcome(kept, tuple(self._attempts.values()), frozenset(self._rejected - kept.unsafe), self._unfinished)

    def _best(self) -> Attempt:
        """What runs best, whatever it comes to."""
        offer = self._bench.offered()
        # Runs are left for the safe ones alone, should that part from the original: of few, what only waits takes none.
        are_few = self._most <= _TO_JUDGE + _TO_ANSWER
        costly = _kin(offer.waited_for, offer.codes) | offer.recompiling
        sure = offer.needed | (SAFE if are_few else costly)
        first = self._judged(sure) if sure else None
        if first is not None and (first.original_stops or first.may_pass or not self._may_run(_TO_ANSWER)):
            best, blamed = first, SAFE  # the safe ones alone wait more, or stop
        else:
            safe = self._judged(SAFE)
            best = min(safe, first or safe, key=lambda attempt: attempt.cost)
            blamed = best.blamed
        offer = self._bench.offered()  # the first run has shown more
        named = _kin(blamed & offer.codes, offer.codes)
        for wanted in (named and best.unsafe | named, offer.codes):
            is_new = bool(wanted) and (wanted not in self._attempts or bool(first and wanted & offer.by_run))
            if is_new and not _is_enough(best) and self._may_run(_TO_ANSWER):
                best = min(best, self._judged(wanted), key=lambda attempt: attempt.cost)
        wrong = (offer.needed & offer.by_run) - best.unsafe
        if wrong and best.verdict.steps and self._may_run(_TO_ANSWER):
            # What the first run has shown to compute something else passes until it is compared.
            mended = self._judged(best.unsafe | wrong)
            best = mended if mended.cost[0] <= best.cost[0] else best
        return best

    def _holding(self, parting: Attempt) -> Attempt:
        """What of a set can be kept, which does not train as the original does, or cannot be compared with it."""
        if SAFE not in self._attempts and not self._may_run(_TO_JUDGE + _TO_COMPARE):
            return parting
        safe = self._attempts.get(SAFE) or self._judged(SAFE)
        kept = self._compared(safe) if safe.verdict.steps and self._may_run(_TO_COMPARE) else safe
        # Where the safe fixes part from the original, too, nothing can be told of the others.
        suspects = self._halves(parting, parting.unsafe) if parting.parts and not kept.parts else []
        while suspects:
            more = suspects.pop()
            choice = kept.unsafe | more
            known = self._attempts.get(choice)
            if not self._may_run(_TO_COMPARE + (0 if known is not None else _TO_JUDGE)):
                continue
            attempt = known or self._judged(choice)
            if not attempt.cost < kept.cost and not attempt.parts:
                continue
            attempt = self._compared(attempt)
            if attempt.agrees:
                kept = attempt
            elif attempt.parts:
                suspects += self._halves(attempt, more)
        # What ran tells more of what is left than a port that the script does not even start with.
        return kept if kept.verdict.steps else parting

    def _halves(self, parting: Attempt, choice: Codes) -> list[Codes]:
        """What to look at of a choice that parts from the original: of one rule, the lines that it changes."""
        parts = sorted(choice)
        if len(parts) == 1:
            places = sorted(parting.places_of(parts[0]))
            if len(places) < 2:
                self._rejected |= choice
                return []
            parts = places
        middle = len(parts) // 2
        return [frozenset(parts[middle:]), frozenset(parts[:middle])]

    def _mended(self, parting: Attempt) -> Attempt:
        """What trains as the original does, where the safe fixes alone do not: an unsafe one may be what is missing."""
        wanted = self._bench.offered().codes - self._rejected
        known = self._attempts.get(wanted)
        if not wanted or not self._may_run(_TO_COMPARE + (0 if known is not None else _TO_JUDGE)):
            return parting
        attempt = known or self._judged(wanted)
        attempt = self._compared(attempt) if attempt.verdict.steps else attempt
        return attempt if attempt.agrees else parting

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
    return attempt.original_stops or (attempt.may_pass and attempt.stalls <= FEW_STALLS)


def _kin(named: Codes, offered: Codes) -> Codes:
    """Some rules with what is of the same family: where one read goes, the next one waits in its place."""
    families = {code[:_FAMILY] for code in named}
    return frozenset(code for code in offered if code[:_FAMILY] in families)
