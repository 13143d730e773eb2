"""The findings as annotations of GitHub Actions: commands of a workflow, which it reads in the log of a step.

What takes a human is a warning, what ``xlaport convert`` does is a notice, what kept xlaport from its work an error.
GitHub shows ten of each for a step, so that the first kind is not lost behind the second.
"""

from __future__ import annotations

import re

from xlaport.finding import Applicability
from xlaport.report import all_errors
from xlaport.result import ReportedFinding, RunResult


def render(run: RunResult) -> str:
    """One line for each finding and each error."""
    lines = [_finding(finding) for finding in run.findings]
    lines += [_command("error", error.message, file=error.path, title="xlaport") for error in all_errors(run)]
    return "".join(f"{line}\n" for line in lines)


def _finding(finding: ReportedFinding) -> str:
    is_less = finding.fixed or finding.is_possible or finding.applicability is Applicability.SAFE
    level = "notice" if is_less else "warning"
    title = f"{finding.code} {finding.name}{' (possible)' if finding.is_possible else ''}"
    parts = (finding.message, *finding.notes, finding.recipe, finding.snippet)
    message = f"fixed: {finding.message}" if finding.fixed else "\n".join(filter(None, parts))
    if finding.cell is not None:  # its line is one of its cell, not of the file
        where = f"cell {finding.cell}, line {finding.line}: "
        return _command(level, where + message, file=finding.path, title=title)
    place: dict[str, str | int] = {"line": finding.line, "endLine": finding.end_line, "col": finding.column}
    if finding.line == finding.end_line:  # columns of other lines are not taken
        place["endColumn"] = finding.end_column
    return _command(level, message, file=finding.path, **place, title=title)


def _command(level: str, message: str, **properties: str | int) -> str:
    words = ",".join(f"{name}={_escaped(str(value), _IN_A_PROPERTY)}" for name, value in properties.items())
    return f"::{level} {words}::{_escaped(message, _IN_A_MESSAGE)}"


def _escaped(text: str, marks: re.Pattern[str]) -> str:
    """`text` as GitHub wants it. A byte of a name that is no text, which it cannot take, is spelled out."""
    shown = text.encode("utf-8", "backslashreplace").decode("utf-8")
    return marks.sub(lambda match: f"%{ord(match.group()):02X}", shown)


_IN_A_MESSAGE = re.compile("[%\x00-\x1f\x7f]")
_IN_A_PROPERTY = re.compile("[%,:\x00-\x1f\x7f]")
