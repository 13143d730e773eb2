"""What has to hold for every file, whatever is in it."""

from __future__ import annotations

import re
import time
import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tools.fuzz.mutations import compiles
from xlaport import engine, source, unfixed
from xlaport.errors import UserError
from xlaport.rule import Rule

SECONDS = 20.0
"""CPU that one file of some hundred lines may take, on a slow and busy machine."""
_BUG = re.compile(r"rule (XP\d+) \([\w-]+\) failed: (\w+)")


@dataclass(frozen=True)
class Problem:
    """A promise that was broken. `kind` is the same for what is probably the same fault."""

    kind: str
    detail: str = ""


@dataclass(frozen=True)
class Outcome:
    """What became of a file: its new bytes, the findings as text, and what was wrong with it."""

    data: bytes
    findings: tuple[str, ...] = ()
    refused: str | None = None
    problem: Problem | None = None
    changed: bool = False


def outcome(data: bytes, rules: Sequence[Rule], settings: engine.Settings) -> Outcome:
    """Convert the file twice and look at everything that is promised of it."""
    begun = time.process_time()
    try:
        found = _outcome(data, rules, settings)
    except Exception as error:
        where = traceback.extract_tb(error.__traceback__)[-1]
        kind = f"{type(error).__name__} in {Path(where.filename).name}:{where.name}"
        return Outcome(data, problem=Problem(kind, "".join(traceback.format_exception(error))))
    spent = time.process_time() - begun
    if spent > SECONDS and found.problem is None:
        return Outcome(found.data, found.findings, found.refused, Problem("slow", f"{spent:.1f} s"), found.changed)
    return found


def _outcome(data: bytes, rules: Sequence[Rule], settings: engine.Settings) -> Outcome:
    try:
        file = source.decode(Path("a.py"), data)
    except UserError as error:
        return Outcome(data, refused=str(error), problem=_of_message(str(error)))
    if source.encode(file, file.text) != data:
        return Outcome(data, problem=Problem("the bytes do not come back"))
    try:
        converted = engine.convert(file.text, "a.py", rules, settings, file.newline)
    except engine.ConversionError as error:
        return Outcome(data, refused=str(error), problem=_of_message(str(error)))
    findings = tuple(f"{f.line}:{f.column} {f.code} {f.fixed} {f.message}" for f in converted.findings)
    try:
        new = source.encode(file, converted.text)
    except UserError as error:
        return Outcome(data, findings, str(error), _of_message(str(error)))
    changed = converted.text != file.text
    problem = _of_result(file, converted, rules, settings) if changed or findings else None
    return Outcome(new, findings, None, problem, changed)


def _of_message(message: str) -> Problem | None:
    rule = _BUG.match(message)
    if rule is not None:
        return Problem(f"{rule[1]} failed: {rule[2]}", message)
    return Problem("a message of several lines", message) if "\n" in message else None


def _of_result(
    file: source.Source, converted: engine.Conversion, rules: Sequence[Rule], settings: engine.Settings
) -> Problem | None:
    text, new = file.text, converted.text
    fixed = sorted({f.code for f in converted.findings if f.fixed})
    for finding in converted.findings:
        if any(unfixed.UNSETTLED in note for note in finding.notes):
            return Problem(f"the edits of {finding.code} {unfixed.UNSETTLED}")
        if "\x02" in finding.message or not finding.message.strip():
            return Problem(f"{finding.code} has an odd message", finding.message)
        if (finding.line, finding.column) > (finding.end_line, finding.end_column) or finding.line < 1:
            return Problem(f"{finding.code} is nowhere", str(finding))
    if not fixed and new != text:
        return Problem("the text changed without a finding")
    if compiles(text) and not compiles(new):
        return Problem("the result does not compile", ", ".join(fixed))
    kinds = [set(re.findall(r"\r\n|\r|\n", piece)) for piece in (text, new)]
    if len(kinds[0]) == 1 and not kinds[1] <= kinds[0]:
        return Problem("a newline of another kind was written", ", ".join(fixed))
    try:
        again = engine.convert(new, "a.py", rules, settings, file.newline)
    except engine.ConversionError as error:
        return _of_message(str(error)) or Problem("the result cannot be converted", str(error))
    if again.text != new:
        codes = ", ".join(sorted({f.code for f in again.findings if f.fixed}))
        return Problem(f"converting twice changes something: {codes}", f"first {', '.join(fixed)}; then {codes}")
    return None
