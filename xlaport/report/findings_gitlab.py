"""The findings as a code quality report of GitLab, which a merge request shows beside its diff.

https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

from xlaport.finding import Applicability
from xlaport.report import all_errors
from xlaport.report.printable import printable
from xlaport.result import FileError, FileResult, ReportedFinding, RunResult

_SEVERITIES = {Applicability.SAFE: "info", Applicability.UNSAFE: "minor", Applicability.MANUAL: "major"}
"""What takes a human weighs more than what ``xlaport convert`` does by itself."""


def render(run: RunResult) -> str:
    """The findings that are not fixed, and the errors, as JSON in ASCII."""
    seen: dict[str, int] = {}
    rows = [_finding(finding, file, seen) for file in run.files for finding in file.findings if not finding.fixed]
    rows += [_error(error) for error in all_errors(run)]
    return json.dumps(rows, indent=2) + "\n"


def _finding(finding: ReportedFinding, file: FileResult, seen: dict[str, int]) -> dict[str, Any]:
    # By the line's text, so that lines that come above it do not make another finding of it.
    same = f"{finding.code}\0{finding.path}\0{finding.cell}\0{file.line_of(finding).strip()}"
    seen[same] = seen.get(same, 0) + 1
    where = "" if finding.cell is None else f"cell {finding.cell}, line {finding.line}: "
    return {
        "description": f"{finding.code} {where}{printable(finding.message)}",
        "check_name": finding.code,
        "fingerprint": _digest(f"{same}\0{seen[same]}"),
        "severity": "info" if finding.is_possible else _SEVERITIES[finding.applicability],
        "location": {
            "path": finding.path,
            "lines": {"begin": finding.line, "end": finding.end_line} if finding.cell is None else {"begin": 1},
        },
    }


def _error(error: FileError) -> dict[str, Any]:
    return {
        "description": printable(error.message),
        "check_name": "error",
        "fingerprint": _digest(f"error\0{error.path}\0{error.message}"),
        "severity": "blocker",
        "location": {"path": error.path, "lines": {"begin": 1}},
    }


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
