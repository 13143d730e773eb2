"""What a port came to: whether it passes, why that may be believed, and what is left for a person."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, replace

from xlaport.finding import Applicability
from xlaport.observed.record import NOTHING_OBSERVED, Observations
from xlaport.port import notebooks
from xlaport.port.attempt import Attempt
from xlaport.port.original import texts_of
from xlaport.port.search import Outcome
from xlaport.result import FileResult, ReportedFinding
from xlaport.verify.originals import align
from xlaport.verify.verdict import VerdictFinding

MOST_LEFT = 5
"""What a person is asked for at a time: what comes behind it often goes with it."""


@dataclass(frozen=True)
class Left:
    """One thing that only a person can decide. `line` (from 1) and `code` are those of the original, 0 and empty where
    it has none; where only the port has the line, `code` is its own. In a notebook, they are of a `cell` (from 1).
    `seen`: how often the run showed it. `further`: lines of the same function of which the same is to be decided.
    """

    reason: str
    advice: str
    path: str | None = None
    line: int = 0
    code: str = ""
    rule: str | None = None
    seen: int = 0
    cell: int | None = None
    further: tuple[int, ...] = ()


@dataclass(frozen=True)
class Answer:
    """What a port came to. `result` is ``pass``, ``fail`` (something is left), or ``error`` (the script did not run).

    `left` are at most `MOST_LEFT`, and `more` how many there are beside them. `observed`: what the first run has shown.
    """

    result: str
    outcome: Outcome
    runs: int
    left: tuple[Left, ...] = ()
    more: int = 0
    observed: Observations = NOTHING_OBSERVED

    @property
    def kept(self) -> Attempt:
        """The conversion that is best."""
        return self.outcome.kept

    @property
    def exit_code(self) -> int:
        """0 pass, 1 fail, 2 error; as of `verify`."""
        return {"pass": 0, "fail": 1}.get(self.result, 2)

    def ground(self, finding: ReportedFinding) -> str:
        """Why a fix may be believed: ``proof``, by its rule; ``evidence``, which a run has shown, and ``parity``: these
        hold by the runs.
        """
        if finding.seen:
            return "evidence"
        return "parity" if finding.applicability is Applicability.UNSAFE else "proof"


def answer(outcome: Outcome, runs: int) -> Answer:
    """The answer that the search leads to."""
    kept = outcome.kept
    if kept.passes:
        return Answer("pass", outcome, runs)
    left = _left(kept)
    is_known = kept.verdict.steps and (kept.is_compared or kept.verdict.parity is None)
    result = "fail" if is_known and kept.verdict.verdict == "fail" else "error"
    return Answer(result, outcome, runs, tuple(left[:MOST_LEFT]), max(len(left) - MOST_LEFT, 0))


def _left(kept: Attempt) -> list[Left]:
    """What decides against the port, each line once: what is seen of it in several ways goes when the line does. Lines
    of a function of which the same is said, such as the numbers of one log, are one thing.
    """
    files = {os.path.realpath(file.path): file for file in kept.result.files}
    found: dict[tuple[str | None, int | None], Left] = {}
    functions: dict[Left, str | None] = {}
    for item in kept.fails:
        file = files.get(os.path.realpath(item.path or ""))
        as_it_was = item.line or 0 if file is None else 0  # no rule looked at the file
        line = item.original.line if item.original is not None else as_it_was
        causes = kept.causes.of(item)
        if item.callers and causes and all((each.path, each.finding.line) != (item.path, item.line) for each in causes):
            # The rules know which of the calls that led to an exception is to blame.
            found |= {(each.path, each.line): each for each in _spoken_of(kept, item, files)}
            continue
        rule = next((cause.finding.code for cause in causes), item.rule)
        # What the rules say of the line, which know it from the source, comes before what the run can say.
        advice = next((cause.finding.recipe for cause in causes if cause.finding.recipe), item.advice)
        is_new = item.original is not None and item.original.new
        text = texts_of(item.path, kept.result)[is_new] if item.path is not None else ""
        code = _line(text, (item.line or 0) if is_new else line)
        place = notebooks.place_of(file, line) if file is not None and line else None
        cell, line = (place.cell, place.line) if place is not None else (None, line)
        left = Left(item.reason, advice, item.path, line, code, rule, item.count, cell)
        functions[left] = item.function
        key = (item.path, item.line) if item.path else (item.reason, None)
        if key not in found or (rule is not None and found[key].rule is None):
            found[key] = left
        if item.path is None:  # where the run names no line, the rules may
            found |= {(each.path, each.line): each for each in _spoken_of(kept, item, files)}
    together: dict[object, list[Left]] = {}
    for each in found.values():
        same = (each.path, each.cell, functions.get(each), each.rule, each.reason) if each.line else each
        together.setdefault(same, []).append(each)
    return [replace(first, further=tuple(each.line for each in rest)) for first, *rest in together.values()]


def _spoken_of(kept: Attempt, item: VerdictFinding, files: dict[str, FileResult]) -> Iterator[Left]:
    """The lines that the rules leave to a person, of what the run has shown of no line."""
    for cause in kept.causes.of(item):
        file = files.get(os.path.realpath(cause.path))
        if cause.fix is not None or (file is not None and file.cells is not None):
            continue  # of a notebook, lines are told by cells
        before, after = texts_of(cause.path, kept.result)
        places = align(before.splitlines(), after.splitlines())
        line, is_new = places[cause.finding.line - 1] if cause.finding.line <= len(places) else (0, True)
        if not is_new:
            said = cause.finding
            yield Left(said.message, said.recipe, cause.path, line, _line(before, line), said.code)


def _line(text: str, line: int) -> str:
    lines = text.split("\n")
    return lines[line - 1].strip() if 0 < line <= len(lines) else ""
