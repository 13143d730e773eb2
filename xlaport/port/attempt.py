"""One conversion that was run: which unsafe fixes it has, what the run showed, and how it compares with others."""

from __future__ import annotations

from dataclasses import dataclass

from xlaport.finding import Applicability, Harm
from xlaport.report.static_causes import NO_CAUSES, Causes
from xlaport.result import RunResult
from xlaport.verify import Verdict
from xlaport.verify.verdict import VerdictFinding

Codes = frozenset[str]
"""Rules of which what is unsafe is applied; ``XP303 in train.py:12`` is what one of them does to one line."""
_IN = " in "
_NOT_TRAINING = "not-training"
"""The kind of finding that is no fault where the original does the same: it is asked by a comparison alone."""

_TIMED_OUT = "timeout"
"""The kind of what is said of a run that took too long, beside what fails anyway."""


def place_of(choice: str) -> tuple[str, str, int] | None:
    """The rule, the path and the line of such a choice; None for a whole rule."""
    code, is_one, place = choice.partition(_IN)
    path, _, line = place.rpartition(":")
    return (code, path, int(line)) if is_one else None


def rules_of(choices: Codes) -> list[str]:
    """The codes of the rules in some choices."""
    return sorted({choice.partition(_IN)[0] for choice in choices})


@dataclass(frozen=True)
class Offer:
    """The rules that have an unsafe fix in a program, and, as the code shows without a run, those of them that take
    something out of it for which the host waits in every step, or for which it compiles again and again, and those of
    what would stop it with an error, or have it compute something else.
    """

    codes: Codes = frozenset()
    waited_for: Codes = frozenset()
    recompiling: Codes = frozenset()
    needed: Codes = frozenset()
    by_run: Codes = frozenset()
    """Those of which a fix rests on what the first run has shown."""

    @classmethod
    def of(cls, result: RunResult) -> Offer:
        """What a conversion with all unsafe fixes has made."""
        made = [f for f in result.findings if f.fixed and f.applicability is Applicability.UNSAFE]

        def of(*harms: Harm) -> Codes:
            return frozenset(f.code for f in made if f.harm in harms)

        needed, by_run = of(Harm.STOPS, Harm.WRONG), frozenset(f.code for f in made if f.seen)
        return cls(of(*Harm), of(Harm.WAITS), of(Harm.RECOMPILES), needed, by_run)


@dataclass(frozen=True)
class Attempt:
    """A conversion with the unsafe fixes of some rules, and the verdict on its run.

    Paths are those of the user's folder, lines those of the port. `causes` are what the rules say of the ported text.
    """

    unsafe: Codes
    result: RunResult
    verdict: Verdict
    causes: Causes = NO_CAUSES
    original_stops: bool = False
    """Whether its failure is one of the original, so that no other conversion runs."""

    @property
    def fails(self) -> tuple[VerdictFinding, ...]:
        """What decides against it."""
        return tuple(item for item in self.verdict.findings if item.severity == "fail")

    @property
    def is_compared(self) -> bool:
        """Whether it is known how it trains beside the original."""
        return self.verdict.parity is not None and self.verdict.parity.verdict != "error"

    @property
    def agrees(self) -> bool:
        """Whether it trains as the original does."""
        return self.verdict.parity is not None and self.verdict.parity.verdict == "pass"

    @property
    def parts(self) -> bool:
        """Whether it trains otherwise than the original."""
        return self.verdict.parity is not None and self.verdict.parity.verdict == "fail"

    @property
    def passes(self) -> bool:
        """Whether nothing decides against it, as far as it was asked."""
        return self.verdict.verdict == "pass"

    @property
    def may_pass(self) -> bool:
        """Whether nothing decides against it but what may be the same in the original: no fix is named for that."""
        asks_only = bool(self.fails) and all(item.kind == _NOT_TRAINING for item in self.fails)
        return self.passes or (asks_only and not self.blamed)

    @property
    def stalls(self) -> float:
        """Reads per steady step that the host waits for."""
        return self.verdict.stalling.after_warmup / max(self.verdict.steady, 1)

    @property
    def cost(self) -> tuple[float, ...]:
        """The less, the better: whether it runs and passes, then compiles, executions and reads per steady step."""
        verdict, steady = self.verdict, max(self.verdict.steady, 1)
        has_ended = all(item.kind != _TIMED_OUT for item in verdict.findings)
        rank = {"pass": 0, "fail": 1 if has_ended else 2}.get(verdict.verdict, 2) if verdict.steps else 3
        compiles = verdict.compiles.after_warmup / steady
        return rank, len({item.kind for item in self.fails}), round(compiles, 2), round(self.stalls, 2)

    @property
    def blamed(self) -> Codes:
        """The rules whose unsafe fix would change a line that decides against it."""
        spoken = (cause for item in self.fails for cause in self.causes.of(item) if cause.fix is not None)
        return frozenset(cause.finding.code for cause in spoken if cause.finding.applicability is Applicability.UNSAFE)

    def places_of(self, code: str) -> Codes:
        """The unsafe fixes of a rule, each as a choice; none of a notebook, whose lines are told by cells."""
        fixed = [f for f in self.result.findings if f.fixed and f.code == code and f.cell is None]
        return frozenset(f"{f.code}{_IN}{f.path}:{f.line}" for f in fixed if f.applicability is Applicability.UNSAFE)

    @property
    def edits(self) -> dict[Applicability, int]:
        """How many fixes were made, by what may be believed of them."""
        kinds = [finding.applicability for finding in self.result.findings if finding.fixed]
        return {kind: kinds.count(kind) for kind in (Applicability.SAFE, Applicability.UNSAFE)}
