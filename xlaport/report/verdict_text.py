"""A verdict as text, for an engineer who has never used a TPU."""

from __future__ import annotations

import linecache
import textwrap
from collections.abc import Iterable, Iterator
from pathlib import Path

from xlaport.report import on_chip, parity, replicas
from xlaport.report.static_causes import NO_CAUSES, Cause, Causes
from xlaport.report.verdict_actions import Action, actions
from xlaport.report.verdict_words import (
    answers,
    device_note,
    head,
    origin,
    relative,
    seen_at,
    sketch,
    steps_in_words,
    stopped,
)
from xlaport.verify.verdict import Verdict, VerdictFinding
from xlaport.wording import speaking_of

_WIDTH = 100
_PLACES, _NOTES = 6, 4
"""Places that fail, and notes, that the text lists at most; the JSON has them all."""
_EDITS = 2
"""Causes that the text lists for one failure, at most."""


def as_text(verdict: Verdict, directory: Path | None = None, causes: Causes = NO_CAUSES) -> str:
    """The verdict, the questions with their figures, then what was found, with its source lines and its causes."""
    with speaking_of(verdict.table):
        return _as_text(verdict, directory, causes)


def _as_text(verdict: Verdict, directory: Path | None, causes: Causes) -> str:
    fails = [item for item in verdict.findings if item.severity == "fail"]
    notes = [item for item in verdict.findings if item.severity != "fail"]
    if verdict.verdict == "error" and fails and not verdict.steps:
        return _error(fails[0], directory)
    broken = verdict.verdict == "error" and fails
    lines = [_error(fails.pop(0), directory) if broken else head(verdict), *device_note(verdict)]
    lines += [line for said in replicas.as_lines(verdict) for line in textwrap.wrap(said, _WIDTH)]
    if verdict.steps:
        counted = verdict.verdict == "error" and not verdict.parity
        lines += ["", *(_counts(verdict) if counted else _questions(verdict))]
    if verdict.parity:
        lines += parity.as_lines(verdict.parity)
    for chip in verdict.chips:
        lines += ["", *on_chip.as_lines(chip, directory)]
    places = _by_place(fails)
    caused = {action.seen[0]: action for action in actions(verdict, causes) if action.causes and not action.is_told}
    for items in places[:_PLACES]:
        lines += ["", *_findings(items, directory)]
        for action in (caused[item] for item in items if item in caused):
            lines += _edits(action, directory)
    lines += _more(len(places) - _PLACES)
    if notes:
        lines += ["", "Seen, within the budgets:"]
        for item in notes[:_NOTES]:
            lines += _note(item, directory)
        lines += _more(len(notes) - _NOTES)
    return "\n".join(lines)


def _error(item: VerdictFinding, directory: Path | None) -> str:
    """What broke the run off: where, what, and what to do, in one line."""
    return f"ERROR: {_place(item, directory)}{_with_advice(item, directory)}"


def _counts(verdict: Verdict) -> Iterator[str]:
    """What was counted before a run broke off; it answers no question."""
    yield (
        f"{verdict.steps} steps ran: {verdict.compiles.total} compiles {sketch(verdict.compiles.per_step)}, "
        f"{sum(verdict.executions.per_step)} executions, {verdict.transfers.total} device-to-host transfers"
    )


def _questions(verdict: Verdict) -> Iterator[str]:
    yield f"{verdict.steps} steps, {verdict.steps - verdict.steady} of them warm-up, the rest steady"
    if verdict.details.stopped:
        yield stopped()
    for answer, question, figure in answers(verdict):
        yield f"  {answer:^3}  {question:<43}{figure}"


def _by_place(findings: Iterable[VerdictFinding]) -> list[list[VerdictFinding]]:
    """What one line has to answer for, together."""
    places: dict[object, list[VerdictFinding]] = {}
    for item in findings:
        key = (item.path, item.line) if item.path else (item.kind, len(places))
        places.setdefault(key, []).append(item)
    return list(places.values())


def _findings(items: list[VerdictFinding], directory: Path | None) -> Iterator[str]:
    kinds = [item.kind + (f" [{item.rule}]" if item.rule else "") for item in items]
    yield _place(items[0], directory) + ", ".join(kinds)
    source = _source(items[0])
    if source:
        yield f"    | {source}"
    for item in items:
        steps = f" (steps {steps_in_words(item.steps)})" if item.kind == "recompile" and item.steps else ""
        yield from _wrapped(f"{item.reason}{steps}{seen_at(item, directory)}")
    for advice in dict.fromkeys(item.advice for item in items if item.advice):
        yield from _wrapped(f"-> {advice}")


def _edits(action: Action, directory: Path | None) -> Iterator[str]:
    """Which lines of the source to change for what the run showed."""
    for group in action.edits[:_EDITS]:
        cause = group[0]
        where = f"{relative(cause.path, directory)}:{', '.join(str(line) for line in _lines(group))}"
        likely = ", likely" if action.is_likely else ""
        yield from _wrapped(f"to change{likely}: {where} [{cause.finding.code}] {cause.finding.message}")
        if cause.finding.recipe and not cause.fix:
            yield from _wrapped(f"-> {cause.finding.recipe}")
            yield from (f"        {line}" for line in cause.finding.snippet.splitlines())
        if cause.fix:
            yield f"        {cause.fix.command}"
    if len(action.edits) > _EDITS:
        yield f"    … and {len(action.edits) - _EDITS} more: --html and --output-format json list them"


def _lines(group: Iterable[Cause]) -> list[int]:
    return sorted({cause.finding.line for cause in group})


def _more(count: int) -> list[str]:
    return [f"  … and {count} more: --output-format json lists them"] if count > 0 else []


def _note(item: VerdictFinding, directory: Path | None) -> list[str]:
    return _wrapped(f"{_place(item, directory)}{_with_advice(item, directory)}", "  ", "      ")


def _with_advice(item: VerdictFinding, directory: Path | None) -> str:
    return item.reason + seen_at(item, directory) + (f" -> {item.advice}" if item.advice else "")


def _wrapped(text: str, first: str = "    ", rest: str = "    ") -> list[str]:
    """The lines of a text, indented: the first one so, the others so."""
    return textwrap.wrap(
        text,
        _WIDTH,
        initial_indent=first,
        subsequent_indent=rest,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _place(item: VerdictFinding, directory: Path | None) -> str:
    path = relative(item.path, directory)
    if path is None:
        return ""
    where = f" in {item.function}()" if item.function and item.function != "<module>" else ""
    return f"{path}:{item.line}{where}{origin(item.original, directory)}: "


def _source(item: VerdictFinding) -> str:
    if item.path is None or item.line is None:
        return ""
    linecache.checkcache(item.path)
    return textwrap.shorten(linecache.getline(item.path, item.line), _WIDTH - 6, placeholder=" …")
