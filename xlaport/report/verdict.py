"""A verdict as JSON (the machine contract) and as text for an engineer who has never used a TPU."""

from __future__ import annotations

import json
import linecache
import os
import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from xlaport.report import parity, replicas
from xlaport.report.static_causes import Cause, Causes
from xlaport.report.verdict_actions import Action, actions
from xlaport.verify.events import Site
from xlaport.verify.verdict import LISTED_STEPS, Original, Series, Verdict, VerdictFinding

_WIDTH = 100
_PLACES, _NOTES = 6, 4
"""Places that fail, and notes, that the text lists at most; the JSON has them all."""
_EDITS, _SAID = 2, 220
"""Causes that the text lists for one failure, and letters of what a rule says of one, at most."""
HEADS = {
    "error": "ERROR: this run cannot be judged",
    "pass": "PASS: it compiles, and stays compiled",
    "fail": "FAIL: it runs, but not yet as a TPU program should",
}
"""The first line, by the verdict."""
STOPPED = "stopped after these, as --steps says: what comes behind them, maybe an evaluation, was not seen"
NO_CAUSES = Causes()
"""Nothing is known of the source."""


def as_dict(verdict: Verdict, directory: Path | None = None, causes: Causes = NO_CAUSES) -> dict[str, Any]:
    """The object of the machine contract; paths are relative to `directory` (the current one)."""
    return {
        "version": 1,
        "tool": "xlaport",
        "verdict": verdict.verdict,
        "device": verdict.device,
        "torch_xla": verdict.torch_xla,
        "steps": verdict.steps,
        "warmup": verdict.warmup,
        "compiles": _series(verdict.compiles),
        "executions": {"per_step": list(verdict.executions.per_step)},
        "transfers": _series(verdict.transfers),
        "fallbacks": [{"op": op, "count": count} for op, count in verdict.fallbacks],
        "findings": [
            {
                "kind": item.kind,
                "severity": item.severity,
                "path": relative(item.path, directory),
                "line": item.line,
                "function": item.function,
                "count": item.count,
                "steps": list(item.steps),
                "reason": item.reason,
                "rule": item.rule,
                "advice": item.advice,
                "original": _original(item.original, directory),
                "causes": [_cause(cause, directory) for cause in causes.of(item)] if item.severity == "fail" else [],
                **({"replicas": list(item.replicas)} if verdict.replicas else {}),
            }
            for item in verdict.findings
        ],
        "loops": [
            {
                **_site(loop.site, directory),
                "steps": list(loop.steps),
                "warmup": loop.warmup,
                "trains": loop.trains,
            }
            for loop in verdict.details.loops
        ],
        "compilations": [
            {
                "step": item.step,
                **_site(item.site, directory),
                "count": item.count,
                "seconds": item.seconds,
                "reason": item.reason,
                "changes": [
                    {
                        "before": change.before,
                        "after": change.after,
                        "path": relative(change.path, directory),
                        "line": change.line,
                    }
                    for change in item.changes
                ],
            }
            for item in verdict.details.compilations
        ],
        **({"replicas": replicas.as_dicts(verdict, _series)} if verdict.replicas else {}),
        **({"parity": parity.as_dict(verdict.parity)} if verdict.parity else {}),
    }


def _original(original: Original | None, directory: Path | None) -> dict[str, Any] | None:
    if original is None:
        return None
    return {**asdict(original), "file": relative(original.file, directory)}


def _cause(cause: Cause, directory: Path | None) -> dict[str, Any]:
    finding = cause.finding
    return {
        "path": relative(cause.path, directory),
        "line": finding.line,
        "rule": finding.code,
        "applicability": finding.applicability.value,
        "message": finding.message,
        "command": cause.fix.command if cause.fix else None,
    }


def _site(site: Site | None, directory: Path | None) -> dict[str, Any]:
    if site is None:
        return {"path": None, "line": None, "function": None}
    return {"path": relative(site.path, directory), "line": site.line, "function": site.function}


def as_json(verdict: Verdict, directory: Path | None = None, causes: Causes = NO_CAUSES) -> str:
    """The object of the machine contract as one JSON document, without a final newline."""
    return json.dumps(as_dict(verdict, directory, causes), indent=2)


def as_text(verdict: Verdict, directory: Path | None = None, causes: Causes = NO_CAUSES) -> str:
    """The verdict, the questions with their figures, then what was found, with its source lines and its causes."""
    fails = [item for item in verdict.findings if item.severity == "fail"]
    notes = [item for item in verdict.findings if item.severity != "fail"]
    if verdict.verdict == "error" and fails and not verdict.steps:
        return _error(fails[0], directory)
    broken = verdict.verdict == "error" and fails
    lines = [_error(fails.pop(0), directory) if broken else HEADS[verdict.verdict], *device_note(verdict)]
    lines += [line for said in replicas.as_lines(verdict) for line in textwrap.wrap(said, _WIDTH)]
    if verdict.steps:
        counted = verdict.verdict == "error" and not verdict.parity
        lines += ["", *(_counts(verdict) if counted else _questions(verdict))]
    if verdict.parity:
        lines += parity.as_lines(verdict.parity)
    places = by_place(fails)
    caused = {action.seen[0]: action for action in actions(verdict, causes) if action.causes}
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
    advice = f" -> {item.advice}" if item.advice else ""
    return f"ERROR: {_place(item, directory)}{item.reason}{advice}"


def _series(series: Series) -> dict[str, Any]:
    return {
        "total": series.total,
        "after_warmup": series.after_warmup,
        "per_step": list(series.per_step),
    }


def device_note(verdict: Verdict) -> Iterator[str]:
    """On what it ran, and what that means for the figures; nothing where torch_xla was never imported."""
    if verdict.torch_xla is None:
        return
    if verdict.device == "CPU":
        yield (
            f"Ran on XLA:CPU (torch_xla {verdict.torch_xla}): counts of compiles and transfers carry over "
            "to a TPU, speed does not."
        )
    else:
        yield f"Ran on {verdict.device} (torch_xla {verdict.torch_xla})."


def _counts(verdict: Verdict) -> Iterator[str]:
    """What was counted before a run broke off; it answers no question."""
    yield (
        f"{verdict.steps} steps ran: {verdict.compiles.total} compiles {_sketch(verdict.compiles.per_step)}, "
        f"{sum(verdict.executions.per_step)} executions, {verdict.transfers.total} device-to-host transfers"
    )


_LOST = ("samples-lost", "untied")
_APART = ("replicas-differ", "replicas-apart", "not-distributed")


def _questions(verdict: Verdict) -> Iterator[str]:
    yield f"{verdict.steps} steps, {verdict.warmup} of them warm-up of the main loop, the rest steady"
    if verdict.details.stopped:
        yield STOPPED
    for answer, question, figure in answers(verdict):
        yield f"  {answer:^3}  {question:<43}{figure}"


def answers(verdict: Verdict) -> Iterator[tuple[str, str, str]]:
    """The questions that the judge asks: ``yes``, ``no`` or ``-``, the question, and the figure behind it."""
    kinds = {item.kind for item in verdict.findings if item.severity == "fail"}
    steady = max(0, verdict.steps - verdict.warmup)

    ran = any(verdict.executions.per_step)

    def row(question: str, failing: Iterable[str], figure: str) -> tuple[str, str, str]:
        return "no" if kinds.intersection(failing) else "yes" if ran else "-", question, figure

    executions = verdict.executions.per_step[verdict.warmup :]
    per_step = f"{sum(executions) / len(executions):.2g}" if executions else "0"
    ops = ", ".join(f"{op} ({count}x)" for op, count in verdict.fallbacks) or "every op is lowered"
    yield row(
        "does it run on the device, and train?",
        ("nothing-executed", "not-training"),
        f"{sum(verdict.executions.per_step)} graphs executed",
    )
    yield row(
        "one graph per step?",
        ("no-barrier", "extra-execution", "graph-break"),
        f"{per_step} executed per steady step",
    )
    yield row(
        "does it stop compiling?",
        ("recompile", "guard-failed", *(("no-barrier",) if verdict.compiles.after_warmup else ())),
        f"{verdict.compiles.total} compiles, {verdict.compiles.after_warmup} after warm-up"
        f"  {_sketch(verdict.compiles.per_step)}",
    )
    yield row(
        "are host reads rare?",
        ("host-read",),
        f"{verdict.transfers.after_warmup} device-to-host transfers in {steady} steady steps",
    )
    yield row("is every op compiled for the device?", ("fallback",), textwrap.shorten(ops, 60))
    lost = [item for item in verdict.findings if item.kind in _LOST]
    whole = "no error in a loader's thread, no tie undone" if not lost else ", ".join(item.kind for item in lost)
    yield row("are data and weights still whole?", _LOST, whole)
    if verdict.replicas:
        yield row("do all replicas run the same graphs?", _APART, f"{len(verdict.replicas)} replicas compared")


def _sketch(per_step: tuple[int, ...]) -> str:
    """The first compiles per step, as figures: ``1 1 0 0 0 …``."""
    shown = per_step[:16]
    return "[" + " ".join(str(count) for count in shown) + (" …" if len(per_step) > len(shown) else "") + "]"


def by_place(findings: Iterable[VerdictFinding]) -> list[list[VerdictFinding]]:
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
        yield from _wrapped(item.reason + steps)
    for advice in dict.fromkeys(item.advice for item in items if item.advice):
        yield from _wrapped(f"-> {advice}")


def _edits(action: Action, directory: Path | None) -> Iterator[str]:
    """Which lines of the source to change for what the run showed."""
    for group in action.edits[:_EDITS]:
        cause = group[0]
        where = f"{relative(cause.path, directory)}:{', '.join(str(line) for line in _lines(group))}"
        said = textwrap.shorten(cause.finding.message, _SAID, placeholder=" …")
        likely = ", likely" if action.is_likely else ""
        yield from _wrapped(f"to change{likely}: {where} [{cause.finding.code}] {said}")
        if cause.fix:
            yield f"        {cause.fix.command}"
    if len(action.edits) > _EDITS:
        yield f"    … and {len(action.edits) - _EDITS} more: --html and --output-format json list them"


def _lines(group: Iterable[Cause]) -> list[int]:
    return sorted({cause.finding.line for cause in group})


def _more(count: int) -> list[str]:
    return [f"  … and {count} more: --output-format json lists them"] if count > 0 else []


def _note(item: VerdictFinding, directory: Path | None) -> Iterator[str]:
    yield from textwrap.wrap(
        f"{_place(item, directory)}{item.reason}" + (f" -> {item.advice}" if item.advice else ""),
        _WIDTH,
        initial_indent="  ",
        subsequent_indent="      ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(
        text,
        _WIDTH,
        initial_indent="    ",
        subsequent_indent="    ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def _place(item: VerdictFinding, directory: Path | None) -> str:
    path = relative(item.path, directory)
    if path is None:
        return ""
    where = f" in {item.function}()" if item.function and item.function != "<module>" else ""
    return f"{path}:{item.line}{where}{origin(item.original, directory)}: "


def origin(original: Original | None, directory: Path | None) -> str:
    """Where a line was before it was ported, in brackets, for behind its place; nothing where that is not known."""
    if original is None:
        return ""
    where = f"of {relative(original.file, directory)}" if original.commit is None else f"in commit {original.commit}"
    return f" ({'new, behind' if original.new else 'was'} line {original.line} {where})"


def _source(item: VerdictFinding) -> str:
    if item.path is None or item.line is None:
        return ""
    linecache.checkcache(item.path)
    return textwrap.shorten(linecache.getline(item.path, item.line), _WIDTH - 6, placeholder=" …")


def steps_in_words(steps: tuple[int, ...]) -> str:
    """Step numbers with runs shortened: ``3-8, 10``; a finding lists the first few."""
    parts: list[list[int]] = []
    for step in steps:
        if parts and step == parts[-1][-1] + 1:
            parts[-1][1:] = [step]
        else:
            parts.append([step])
    more = ", …" if len(steps) >= LISTED_STEPS else ""
    return ", ".join("-".join(str(step) for step in part) for part in parts) + more


def relative(path: str | None, directory: Path | None) -> str | None:
    """Relative where the file lies under the directory; a path that climbs out of it helps nobody."""
    if path is None:
        return None
    relative = os.path.relpath(path, directory or Path.cwd())
    return path if relative.startswith(os.pardir) else Path(relative).as_posix()
