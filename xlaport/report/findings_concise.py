"""The findings with one line for each, as editors and ``grep`` read them."""

from __future__ import annotations

from collections.abc import Iterator

from xlaport.report import all_errors
from xlaport.report.places import Places
from xlaport.report.printable import printable
from xlaport.report.view import View
from xlaport.result import FileResult, ReportedFinding, RunResult


def render(run: RunResult, view: View) -> str:
    """``path:line:column: CODE what was found (what becomes of it)``, and the errors; nothing where there is none."""
    rows = [_line(finding, view) for file in run.files for finding in _told(file, view)]
    rows += [f"{printable(error.path)}: error: {printable(error.message)}" for error in all_errors(run)]
    return "".join(f"{row}\n" for row in rows)


def _told(file: FileResult, view: View) -> Iterator[ReportedFinding]:
    places = Places(file)
    return (places.finding(finding) if view.written else finding for finding in file.findings)


def _line(finding: ReportedFinding, view: View) -> str:
    cell = "" if finding.cell is None else f"cell {finding.cell}:"
    place = f"{printable(finding.path)}:{cell}{finding.line}:{finding.column}"
    return f"{place}: {finding.code} {printable(finding.message)} ({view.mark(finding)})"
