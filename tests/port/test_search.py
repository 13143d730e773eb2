"""Which unsafe fixes are kept: the loop over a bench that runs nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from xlaport.finding import Applicability
from xlaport.port.attempt import Attempt, Codes, Offer
from xlaport.port.search import Outcome, search
from xlaport.result import FileResult, ReportedFinding, RunResult
from xlaport.verify.verdict import Loop, Parity, Series, Verdict, VerdictFinding

NOTHING = RunResult("2.9", 0, 0)
STEPS = tuple(range(1, 11))
READS = frozenset({"XP303", "XP305"})


def verdict(level: str, *, stalls: int = 0, kinds: Iterable[str] = (), parity: Parity | None = None) -> Verdict:
    findings = tuple(VerdictFinding(kind, "fail", kind) for kind in kinds)
    steps = 0 if level == "crash" else len(STEPS)
    found = Verdict(
        "error" if level == "crash" else level, "CPU", "2.9", steps, 2, findings=findings, parity=parity,
        stalling=Series(stalls, stalls),
    )  # fmt: skip
    return replace(found, details=replace(found.details, loops=(Loop(None, STEPS, 2, True),))) if steps else found


@dataclass
class Played:
    """A bench whose runs are played. `stalls` of a set; `wrong` are the rules that part from the original."""

    stalls: Callable[[Codes], int]
    codes: Codes
    wrong: Codes = frozenset()
    broken: Codes | None = None
    """Without one of these the script crashes."""
    incomparable: bool = False
    waited: Codes = frozenset()
    """Those that the code shows to be waited for."""
    recompiling: Codes = frozenset()
    """Those of what compiles again and again, as the code shows."""
    needed: Codes = frozenset()
    """Those of what stops the script, or has it compute something else, as the code shows."""
    shown: Codes = frozenset()
    """Those that are offered once a run has shown something."""
    mending: Codes = frozenset()
    """Without these it trains otherwise than the original."""
    runs: int = 0
    tried: list[str] = field(default_factory=list)
    compares: list[str] = field(default_factory=list)

    def offered(self) -> Offer:
        shown = self.shown if self.runs else frozenset()
        return Offer(self.codes | shown, self.waited, self.recompiling, self.needed, shown)

    def attempt(self, unsafe: Codes) -> Attempt:
        self.runs += 1
        self.tried.append("".join(sorted(unsafe)))
        if self.broken is not None and not unsafe & self.broken:
            return Attempt(unsafe, NOTHING, verdict("crash", kinds=("crash",)))
        count = self.stalls(unsafe)
        return Attempt(unsafe, NOTHING, verdict("fail" if count else "pass", stalls=count, kinds=["read"][:count]))

    def compared(self, attempt: Attempt) -> Attempt:
        self.runs += 1 if self.compares else 2
        self.compares.append("".join(sorted(attempt.unsafe)))
        own = attempt.verdict
        level = (
            "error"
            if self.incomparable
            else "fail"
            if attempt.unsafe & self.wrong or not attempt.unsafe >= self.mending
            else "pass"
        )
        worst = level if level != "pass" else own.verdict
        found = verdict(
            worst, stalls=own.stalling.total, kinds=["read"][: own.stalling.total], parity=Parity(level, "x")
        )
        return Attempt(attempt.unsafe, NOTHING, found)


def found(bench: Played, most: int = 100) -> Outcome:
    return search(bench, most)


def test_safe_fixes_that_pass_are_enough() -> None:
    bench = Played(lambda codes: 0, frozenset("AB"))
    outcome = found(bench)
    assert outcome.kept.unsafe == frozenset()
    assert bench.runs == 3


def test_unsafe_fixes_that_hold_are_kept() -> None:
    bench = Played(lambda codes: 0 if codes >= {"A"} else 3, frozenset("AB"))
    outcome = found(bench)
    assert outcome.kept.unsafe == frozenset("AB")
    assert outcome.kept.passes
    assert bench.runs == 4


@pytest.mark.parametrize("wrong", list("ABCDE"))
def test_the_one_that_parts_from_the_original_is_left_out(wrong: str) -> None:
    bench = Played(lambda codes: 5 - len(codes), frozenset("ABCDE"), frozenset(wrong))
    outcome = found(bench)
    assert outcome.kept.unsafe == frozenset("ABCDE") - {wrong}
    assert outcome.rejected == {wrong}


def test_two_that_part_from_the_original_are_left_out() -> None:
    bench = Played(lambda codes: 5 - len(codes), frozenset("ABCDE"), frozenset("BD"))
    outcome = found(bench)
    assert outcome.kept.unsafe == frozenset("ACE")
    assert outcome.rejected == frozenset("BD")


def test_one_that_parts_and_helps_nobody_is_not_kept_either() -> None:
    bench = Played(lambda codes: 5 - len(codes - {"C"}), frozenset("ABCDE"), frozenset("C"))
    outcome = found(bench)
    assert outcome.kept.unsafe == frozenset("ABDE")
    assert outcome.kept.passes is False


def test_what_makes_nothing_better_is_not_kept() -> None:
    bench = Played(lambda codes: 3, frozenset("AB"))
    outcome = found(bench)
    assert outcome.kept.unsafe == frozenset()
    assert bench.compares == [""]


def test_a_script_that_only_unsafe_fixes_make_run() -> None:
    bench = Played(lambda codes: 0, frozenset("AB"), broken=frozenset("B"))
    outcome = found(bench)
    assert outcome.kept.unsafe == frozenset("AB")
    assert outcome.kept.passes


def test_no_unsafe_fix_is_kept_that_cannot_be_compared() -> None:
    bench = Played(lambda codes: 0 if codes else 3, frozenset("AB"), incomparable=True)
    outcome = found(bench)
    assert outcome.kept.unsafe == frozenset()
    assert outcome.rejected == frozenset()


def test_what_ran_and_cannot_be_compared_says_more_than_safe_fixes_that_crash() -> None:
    bench = Played(lambda codes: 0, frozenset("AB"), broken=frozenset("A"), incomparable=True)
    outcome = found(bench)
    assert outcome.kept.unsafe == frozenset("AB")
    assert outcome.kept.verdict.steps
    assert not outcome.kept.passes


def test_one_that_parts_and_without_which_nothing_runs_is_not_told_as_left_out() -> None:
    bench = Played(lambda codes: 0, frozenset("AB"), frozenset("A"), broken=frozenset("A"))
    outcome = found(bench)
    assert outcome.kept.unsafe == frozenset("AB")
    assert outcome.kept.parts
    assert not outcome.rejected & outcome.kept.unsafe


def test_a_safe_port_that_parts_gets_no_unsafe_fix() -> None:
    class Parting(Played):
        def compared(self, attempt: Attempt) -> Attempt:
            self.runs += 2
            return Attempt(attempt.unsafe, NOTHING, verdict("fail", kinds=["parity"], parity=Parity("fail", "x")))

    bench = Parting(lambda codes: 0 if codes else 3, frozenset("AB"))
    outcome = found(bench)
    assert outcome.kept.unsafe == frozenset()
    assert outcome.rejected == frozenset()
    assert bench.tried == ["", "AB"]


def test_what_the_code_shows_to_wait_is_tried_first() -> None:
    bench = Played(lambda codes: 0 if codes >= READS else 3, READS | {"XP603"}, waited=frozenset({"XP303"}))
    outcome = found(bench)
    assert bench.tried == ["XP303XP305"]
    assert outcome.kept.unsafe == READS
    assert bench.runs == 3


def test_what_the_code_shows_to_wait_and_is_not_enough_is_followed_by_what_the_runs_show() -> None:
    bench = Played(lambda codes: 0 if "XP603" in codes else 3, READS | {"XP603"}, waited=frozenset({"XP303"}))
    outcome = found(bench)
    assert bench.tried == ["XP303XP305", "", "XP303XP305XP603"]
    assert outcome.kept.unsafe == READS | {"XP603"}


def test_what_the_code_shows_to_wait_and_is_nearly_enough_needs_no_look_at_the_safe_ones() -> None:
    class Passing(Played):
        def attempt(self, unsafe: Codes) -> Attempt:
            self.runs += 1
            self.tried.append("".join(sorted(unsafe)))
            return Attempt(unsafe, NOTHING, verdict("pass", stalls=2))

    bench = Passing(lambda codes: 2, READS, waited=READS)
    assert found(bench).kept.unsafe == READS
    assert bench.tried == ["XP303XP305"]
    bench = Passing(lambda codes: 2, READS | {"XP603"}, waited=READS)
    assert found(bench).kept.unsafe == READS
    assert bench.tried == ["XP303XP305", "XP303XP305XP603"]


def test_what_the_code_shows_to_compile_again_and_again_is_mended_in_the_first_run() -> None:
    bench = Played(lambda codes: 0 if "XP402" in codes else 3, frozenset({"XP402"}), recompiling=frozenset({"XP402"}))
    assert found(bench).kept.unsafe == {"XP402"}
    assert bench.tried == ["XP402"]


def test_what_trains_nothing_in_the_original_either_is_compared_before_more_is_tried() -> None:
    class Still(Played):
        def attempt(self, unsafe: Codes) -> Attempt:
            self.runs += 1
            self.tried.append("".join(sorted(unsafe)))
            return Attempt(unsafe, NOTHING, verdict("fail", kinds=["not-training"]))

    bench = Still(lambda codes: 0, frozenset("AB"))
    assert found(bench).kept.agrees
    assert (bench.tried, bench.runs) == ([""], 3)
    bench = Still(lambda codes: 0, frozenset("AB"), mending=frozenset("B"))
    assert found(bench).kept.unsafe == frozenset("AB")
    assert bench.tried == ["", "AB"]


def test_what_the_first_run_shows_to_be_wrong_is_mended_before_anything_is_compared() -> None:
    class Wrong(Played):
        def offered(self) -> Offer:
            return replace(super().offered(), needed=self.shown) if self.runs else super().offered()

    shown = frozenset({"XP208"})
    bench = Wrong(lambda codes: 0, frozenset(), shown=shown, mending=shown)
    assert found(bench).kept.unsafe == shown
    assert (bench.tried, bench.runs) == (["", "XP208"], 4)


def test_what_the_code_shows_to_wait_and_helps_nothing_is_not_kept() -> None:
    bench = Played(lambda codes: 3, READS, waited=frozenset({"XP303"}))
    assert found(bench).kept.unsafe == frozenset()


def test_safe_fixes_alone_where_what_the_code_shows_to_wait_parts_from_the_original() -> None:
    bench = Played(lambda codes: 0 if codes else 3, frozenset({"XP303"}), frozenset({"XP303"}), waited=READS)
    outcome = found(bench)
    assert outcome.kept.unsafe == frozenset()
    assert outcome.rejected == {"XP303"}
    assert bench.tried == ["XP303", ""]


def test_no_unsafe_fix_is_kept_of_what_the_code_shows_to_wait_where_nothing_can_be_compared() -> None:
    bench = Played(lambda codes: 0 if codes else 3, READS, incomparable=True, waited=READS)
    assert found(bench).kept.unsafe == frozenset()


@pytest.mark.parametrize("waited", [frozenset(), frozenset("ABC")])
@pytest.mark.parametrize("most", range(1, 9))
def test_the_script_runs_no_more_often_than_it_may(most: int, waited: Codes) -> None:
    bench = Played(lambda codes: 5 - len(codes), frozenset("ABCDE"), frozenset("C"), waited=waited)
    outcome = found(bench, most)
    assert bench.runs <= max(most, 3)  # the safe fixes are run and compared in any case
    assert outcome.unfinished
    assert "C" not in outcome.kept.unsafe


@pytest.mark.parametrize("most", range(1, 9))
def test_what_stops_the_script_is_mended_in_the_first_run_of_few(most: int) -> None:
    bench = Played(
        lambda codes: 0, READS | {"XP405"}, broken=frozenset({"XP405"}), waited=READS, needed=frozenset({"XP405"})
    )
    outcome = found(bench, most)
    assert outcome.kept.passes
    assert bench.tried == ["XP405" if most < 5 else "XP303XP305XP405"]
    assert bench.runs == 3


@pytest.mark.parametrize("most", range(1, 9))
@pytest.mark.parametrize("stalls", [0, 3])
def test_what_stops_the_script_and_parts_from_the_original_never_passes(most: int, stalls: int) -> None:
    stopping = frozenset({"XP405"})
    bench = Played(lambda codes: stalls, stopping, stopping, broken=stopping, needed=stopping)
    outcome = found(bench, most)
    assert not outcome.kept.passes
    assert outcome.unfinished == (most < (4 if stalls else 5))
    assert bench.runs <= max(most, 3)


def test_reads_now_and_then_are_few_enough() -> None:
    bench = Played(lambda codes: 0 if codes else 1, frozenset("AB"))
    often = found(bench).kept
    assert (often.unsafe, often.stalls) == (frozenset("AB"), 0)

    class Passing(Played):
        def attempt(self, unsafe: Codes) -> Attempt:
            self.tried.append("".join(sorted(unsafe)))
            return Attempt(unsafe, NOTHING, verdict("pass", stalls=0 if unsafe else 2))

    more = Passing(lambda codes: 0, frozenset("AB"))
    assert found(more).kept.unsafe == frozenset("AB")  # it passes, but reads in two of eight steps
    assert more.tried == ["", "AB"]


def test_what_becomes_known_of_an_attempt_is_told() -> None:
    told: list[tuple[Codes, bool]] = []
    bench = Played(lambda codes: 0 if codes >= {"A"} else 3, frozenset("AB"))
    outcome = search(bench, 100, lambda attempt: told.append((attempt.unsafe, attempt.agrees)))
    assert told == [(frozenset(), False), (frozenset("AB"), False), (frozenset("AB"), True)]
    assert [attempt.unsafe for attempt in outcome.attempts] == [frozenset(), frozenset("AB")]


@dataclass
class Blaming(Played):
    """A bench whose rules name some codes for what its runs show."""

    blamed: Codes = frozenset()

    def attempt(self, unsafe: Codes) -> Attempt:
        blamed = self.blamed

        class Blamed(Attempt):
            @property
            def blamed(self) -> Codes:
                return blamed

        found = super().attempt(unsafe)
        return Blamed(found.unsafe, found.result, found.verdict)


def test_what_is_blamed_is_tried_with_its_family_before_all() -> None:
    offered = frozenset({"XP303", "XP305", "XP603"})
    bench = Blaming(lambda codes: 0 if codes >= READS else 3, offered, blamed=frozenset({"XP303"}))
    outcome = found(bench)
    assert bench.tried == ["", "XP303XP305"]
    assert outcome.kept.unsafe == READS
    assert bench.runs == 4


def test_what_makes_no_step_is_worse_than_what_makes_some_and_fails() -> None:
    still = Attempt(frozenset(), NOTHING, replace(verdict("fail", kinds=["nothing-executed"]), steps=0))
    moving = Attempt(frozenset("A"), NOTHING, verdict("fail", stalls=3, kinds=["read", "not-training"]))
    assert moving.cost < still.cost


def test_what_stops_the_script_as_the_code_shows_is_mended_in_the_first_run() -> None:
    bench = Played(
        lambda codes: 0, READS | {"XP405", "XP406"}, broken=frozenset({"XP405"}), needed=frozenset({"XP405"})
    )
    assert found(bench).kept.unsafe == {"XP405"}
    assert bench.tried == ["XP405"]


def test_what_the_first_run_has_shown_is_tried_behind_it() -> None:
    bench = Played(lambda codes: 0 if "XP303" in codes else 3, frozenset(), shown=frozenset({"XP303"}))
    assert found(bench).kept.unsafe == {"XP303"}
    assert bench.tried == ["", "XP303"]


def test_a_set_that_means_more_behind_the_first_run_is_tried_again() -> None:
    waits = iter([3, 3, 0])
    bench = Played(
        lambda codes: next(waits), frozenset({"XP303"}), waited=frozenset({"XP303"}), shown=frozenset({"XP303"})
    )
    assert found(bench).kept.passes
    assert bench.tried == ["XP303", "", "XP303"]


def test_what_the_safe_fixes_alone_lack_may_be_an_unsafe_one() -> None:
    bench = Played(lambda codes: len(codes), frozenset("AB"), mending=frozenset("A"))
    outcome = found(bench)
    assert outcome.kept.unsafe == frozenset("AB")
    assert outcome.kept.agrees
    # Nothing else is kept for what it does not mend.
    other = Played(lambda codes: len(codes), frozenset("AB"), frozenset("B"), mending=frozenset("A"))
    assert found(other).kept.unsafe == frozenset()


@pytest.mark.parametrize("stopping", [frozenset(), frozenset({"XP405"})])
def test_nothing_else_is_run_where_the_original_stops(stopping: Codes) -> None:
    class Missing(Played):
        def attempt(self, unsafe: Codes) -> Attempt:
            return replace(super().attempt(unsafe), original_stops=True)

    bench = Missing(lambda codes: 0, READS | stopping, broken=frozenset({"none"}), needed=stopping)
    outcome = found(bench)
    assert (bench.runs, bench.tried, outcome.unfinished) == (1, ["".join(stopping)], False)
    assert outcome.kept.original_stops


@dataclass
class PlayedPlaces(Played):
    """A bench in which each rule changes three lines."""

    def attempt(self, unsafe: Codes) -> Attempt:
        attempt = super().attempt(unsafe)
        places = [(choice[0], int(choice[-1])) for choice in unsafe if " in " in choice]
        places += [(code, line) for code in unsafe if len(code) == 1 for line in (1, 2, 3)]
        findings = tuple(
            ReportedFinding(code, code, "", "t.py", line, 1, line, 2, Applicability.UNSAFE, fixed=True)
            for code, line in sorted(places)
        )
        return replace(attempt, result=replace(NOTHING, files=(FileResult(Path("t.py"), "", "", findings),)))

    def compared(self, attempt: Attempt) -> Attempt:
        return replace(super().compared(attempt), result=attempt.result)


@pytest.mark.parametrize("line", [1, 2, 3])
def test_of_a_rule_that_parts_from_the_original_the_other_lines_are_kept(line: int) -> None:
    wrong = f"B in t.py:{line}"
    bench = PlayedPlaces(lambda codes: 9 - len(places_in(codes)), frozenset("AB"), frozenset({"B", wrong}))
    outcome = found(bench)
    assert places_in(outcome.kept.unsafe) == {*places_in(frozenset("AB"))} - {wrong}
    assert outcome.rejected == {wrong}


def places_in(codes: Codes) -> set[str]:
    return {
        place for code in codes for place in ([code] if " in " in code else [f"{code} in t.py:{n}" for n in (1, 2, 3)])
    }


def test_a_run_that_took_too_long_costs_more_than_one_that_only_waits() -> None:
    late = verdict("fail", stalls=3, kinds=["read"])
    late = replace(late, findings=(*late.findings, VerdictFinding("timeout", "note", "timeout")))
    waiting = verdict("fail", stalls=5, kinds=["read", "executions"])
    assert Attempt(frozenset(), NOTHING, waiting).cost < Attempt(frozenset(), NOTHING, late).cost


def test_what_ran_better_than_the_safe_fixes_is_where_more_is_added() -> None:
    """What the safe ones lacked to run is no reason to run it without what the first set had."""
    sure = frozenset({"XP408", "XP603"})
    offered = sure | {"XP303", "XP605"}
    bench = Blaming(lambda codes: 1, offered, needed=sure, broken=sure, blamed=frozenset({"XP603"}))
    found(bench)
    assert bench.tried == ["XP408XP603", "", "XP408XP603XP605", "XP303XP408XP603XP605"]
