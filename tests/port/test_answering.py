"""What is left for a person, of what decides against a port."""

from __future__ import annotations

from pathlib import Path

from xlaport.port.answer import Left, answer
from xlaport.port.attempt import Attempt
from xlaport.port.search import Outcome
from xlaport.report import answer_text
from xlaport.result import RunResult
from xlaport.verify.verdict import Original, Verdict, VerdictFinding


def left_of(*findings: VerdictFinding) -> tuple[Left, ...]:
    kept = Attempt(frozenset(), RunResult("2.9", 0, 0), Verdict("fail", "CPU", "2.9", 10, findings=findings))
    return answer(Outcome(kept, (kept,)), 3).left


def read(line: int, function: str, reason: str = "Read in each step", path: str = "/there/train.py") -> VerdictFinding:
    original = Original(path, line - 1)
    return VerdictFinding("host-read", "fail", reason, "", path, line, function, rule="XP302", original=original)


def test_lines_of_one_function_of_which_the_same_is_said_are_one_thing() -> None:
    (one,) = left_of(read(4, "log"), read(5, "log"), read(9, "log"))
    assert (one.line, one.further) == (3, (4, 8))
    said = answer_text._left(1, one, Path("/there"))
    assert next(said) == "1. train.py:3, 4, 8"


def test_lines_of_two_functions_or_of_which_other_things_are_said_are_several() -> None:
    apart = left_of(read(4, "log"), read(5, "act"), read(6, "log", "It stops"), read(7, "log", path="/there/model.py"))
    assert [(each.line, each.further) for each in apart] == [(3, ()), (4, ()), (5, ()), (6, ())]


def test_a_line_of_which_two_things_are_said_is_one() -> None:
    assert len(left_of(read(4, "log"), read(4, "log", "Another graph runs for it"))) == 1
