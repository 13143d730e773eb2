"""The machine contract of ``convert`` and ``check``: one JSON object."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from typing import Any

from xlaport.report import all_errors
from xlaport.report.hunks import line_starts, position
from xlaport.report.places import Places
from xlaport.result import FileResult, ReportedFinding, RunResult

VERSION = 1
"""Grows when a reader of the old contract would misread the new one; a new key is no reason."""


def render(run: RunResult) -> str:
    """The run as JSON, in ASCII: a file name that is not valid text comes as lone surrogates."""
    report = {
        "version": VERSION,
        "tool": "xlaport",
        "target": run.target,
        "files": {
            "seen": run.seen,
            "parsed": run.parsed,
            "changed": len(run.changed),
            "documents": run.documents,
        },
        "findings": [
            _finding(finding, places) for file in run.files for places in [Places(file)] for finding in file.findings
        ],
        "possible": [
            _finding(finding, places) for file in run.files for places in [Places(file)] for finding in file.possible
        ],
        "errors": [asdict(error) for error in all_errors(run)],
    }
    return json.dumps(report, indent=2) + "\n"


def _finding(finding: ReportedFinding, places: Places) -> dict[str, Any]:
    row = {
        **asdict(replace(finding, fix=None)),
        "applicability": finding.applicability.value,
        "harm": finding.harm.name.lower().replace("_", "-"),
        "page": f"rules/{finding.code}.md",
        "edits": _edits(finding, places.file),
    }
    del row["fix"], row["is_possible"]
    if not row["seen"]:
        del row["seen"]
    # The text as it was has `line`; a cell of a notebook is not followed.
    now = places.finding(finding) if finding.cell is None else None
    row |= {"line_after": now and now.line, "end_line_after": now and now.end_line}
    return row


def _edits(finding: ReportedFinding, file: FileResult) -> list[dict[str, Any]] | None:
    """The fix alone, in the text as it was, with the imports that it needs; None where there is none of its own."""
    if finding.fix is None or finding.cell is not None:
        return None
    starts = line_starts(file.before)
    edits = sorted([*finding.fix.imports, *finding.fix.edits], key=lambda edit: (edit.start, edit.end))
    return [
        {
            **dict(zip(("line", "column"), position(edit.start, starts), strict=True)),
            **dict(zip(("end_line", "end_column"), position(edit.end, starts), strict=True)),
            "text": edit.text,
        }
        for edit in edits
    ]
