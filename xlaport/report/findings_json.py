"""The machine contract of ``convert`` and ``check``: one JSON object."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from xlaport.report import all_errors
from xlaport.report.places import Places
from xlaport.result import ReportedFinding, RunResult

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
        "errors": [asdict(error) for error in all_errors(run)],
    }
    return json.dumps(report, indent=2) + "\n"


def _finding(finding: ReportedFinding, places: Places) -> dict[str, Any]:
    row = {**asdict(finding), "applicability": finding.applicability.value}
    del row["fix"]  # the diff and SARIF have the fixes
    # The text as it was has `line`; a cell of a notebook is not followed.
    now = places.finding(finding) if finding.cell is None else None
    row |= {"line_after": now and now.line, "end_line_after": now and now.end_line}
    return row
