"""What a port came to, as text."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from pathlib import Path

from xlaport.finding import Applicability
from xlaport.port.answer import Answer, Left
from xlaport.port.attempt import Attempt, rules_of
from xlaport.report import on_chip
from xlaport.report.parity import outputs
from xlaport.report.saying import say
from xlaport.report.verdict_words import relative
from xlaport.wording import speaking_of

_WIDTH = 100


def as_text(answer: Answer, directory: Path, written: str) -> str:
    """The result, why it may be believed, and what is left. `written`: where it was written, in a sentence."""
    lines = [_head(answer), *(f"  {line}" for line in _grounds(answer.kept))]
    for chip in answer.kept.verdict.chips:
        lines += [f"  {line}" for line in on_chip.as_lines(chip, directory)]
    if answer.outcome.rejected:
        codes = "; ".join(sorted(answer.outcome.rejected))
        lines.append(f"  Left out, since the port trains, prints or saves otherwise with it: the unsafe fix of {codes}")
    if answer.outcome.unfinished:
        lines.append("  Not all unsafe fixes were tried: the script has run as often as it may (--max-runs)")
    for number, left in enumerate(answer.left, 1):
        lines += ["", *_left(number, left, directory)]
    if answer.more:
        lines += ["", f"and {answer.more} more, most of which go with these"]
    return "\n".join([*lines, "", written])


def attempted(attempt: Attempt) -> str:
    """One line on an attempt, while others may come."""
    fixes = f"the unsafe fixes of {', '.join(sorted(attempt.unsafe))}, too" if attempt.unsafe else "the safe fixes"
    return f"with {fixes}: {_outcome(attempt)}"


def _outcome(attempt: Attempt) -> str:
    waits = f", {attempt.stalls:.2g} waits for a read per step" if attempt.stalls else ""
    first = next(iter(attempt.fails), None)
    if first is not None:
        return first.reason
    return f"{_alike(attempt)}{waits}" if attempt.agrees else f"runs well{waits}"


def _alike(attempt: Attempt) -> str:
    """What is the same in the original and in a port that agrees with it."""
    is_idle = attempt.verdict.parity is not None and attempt.verdict.parity.is_idle
    return "prints and saves what the original does" if is_idle else "trains as the original"


def _head(answer: Answer) -> str:
    runs = f"{_count(answer.runs, 'run')} of the script"
    if answer.result == "pass":
        return f"PASS after {runs}: it compiles, stays compiled, and " + (
            _alike(answer.kept) if answer.kept.agrees else "is not compared, since nothing trains"
        )
    if answer.kept.original_stops:
        return f"ERROR after {runs}: the original cannot run here either"
    if answer.result == "error":
        return f"ERROR after {runs}: the port does not run, or could not be compared"
    return f"NOT YET after {runs}: {_count(len(answer.left) + answer.more, 'thing')} only you can decide"


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"


def _grounds(kept: Attempt) -> Iterator[str]:
    """What the kept port is, and what was measured of it."""
    safe, unsafe = kept.edits[Applicability.SAFE], kept.edits[Applicability.UNSAFE]
    files = _count(len(kept.result.changed), "file")
    said = f"{_count(safe + unsafe, 'edit')} in {files}: {safe} safe by their rules"
    if unsafe:
        said += f", {unsafe} shown to hold by the runs ({', '.join(rules_of(kept.unsafe))})"
    if by_run := sum(finding.fixed and bool(finding.seen) for finding in kept.result.findings):
        said += f", {by_run} of these found by what the first run showed"
    yield said
    verdict = kept.verdict
    if not verdict.steps:
        return
    steady = verdict.steady
    graphs = sum(verdict.executions.per_step[-steady:]) / steady if steady else 0
    compiles = f"{_count(verdict.compiles.total, 'compile')}, {verdict.compiles.after_warmup} after warm-up"
    with speaking_of(verdict.table):
        programs = say.phrase("graphs")
    count = f"{graphs:.0f}" if graphs >= 10 else f"{graphs:.2g}"
    said = f"per step {count} {programs}, {kept.stalls:.2g} waits for a read"
    yield f"{_count(verdict.steps, 'step')}: {compiles}; {said}"
    if verdict.parity is not None and kept.is_compared:
        apart = max((figure.apart for figure in verdict.parity.figures), default=0.0)
        if not verdict.parity.is_idle:
            yield f"Losses and gradients of {verdict.parity.steps} steps: at most {apart:.1e} apart from the original's"
        if kept.agrees and (alike := outputs(verdict.parity)):
            yield f"Printed and saved: {alike} like the original's"


def _left(number: int, left: Left, directory: Path) -> Iterator[str]:
    place = relative(left.path, directory)
    cell = f"cell {left.cell}:" if left.cell is not None else ""
    also = "".join(f", {line}" for line in left.further)
    where = "" if place is None else f"{place}:{cell}{left.line}{also}  {left.code}" if left.line else place
    yield f"{number}. {where}".rstrip()
    rule = f" ({left.rule}: xlaport explain {left.rule})" if left.rule else ""
    yield from _indented(left.reason + rule)
    if left.advice:
        yield from _indented(f"To do: {left.advice}")


def _indented(text: str) -> list[str]:
    wrapped = (textwrap.wrap(line, _WIDTH, break_long_words=False, break_on_hyphens=False) for line in text.split("\n"))
    return [f"   {line}" for lines in wrapped for line in lines]
