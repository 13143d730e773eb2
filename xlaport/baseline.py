"""A baseline: the findings that a repository had when somebody began to check it. Only what comes new is reported.

A finding is known again by its file, its rule and the text of its line, so that lines which move keep it, and each as
often as it was there. The file is JSON, sorted, one finding a line: it can be read and merged.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from xlaport.errors import UserError
from xlaport.result import FileResult, ReportedFinding, RunResult
from xlaport.suppressions.directive import find

_VERSION = 1

_Key = tuple[str, str, str]
"""The path from the folder of the baseline, with slashes; the code; the text of the line."""


def write(run: RunResult, place: Path) -> int:
    """Write the findings of a run as a baseline. Returns how many; raises `UserError` where it cannot be written."""
    known = Counter(_key(file, finding, place) for file in run.files for finding in file.findings)
    rows = ",\n".join(
        "    " + json.dumps({"path": path, "code": code, "text": text, "count": number})
        for (path, code, text), number in sorted(known.items())
    )
    text = f'{{\n  "version": {_VERSION},\n  "tool": "xlaport",\n  "findings": [\n{rows}\n  ]\n}}\n'
    try:
        place.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UserError(f"--write-baseline {place}: cannot be written: {error.strerror}") from error
    return sum(known.values())


def without_known(run: RunResult, place: Path) -> tuple[RunResult, int]:
    """The run without the findings of a baseline, and how many these are. Raises `UserError` for another file."""
    known = _read(place)
    files, left_out = [], 0
    for file in run.files:
        new = []
        for finding in file.findings:
            key = _key(file, finding, place)
            if known[key] > 0:
                known[key] -= 1
                left_out += 1
            else:
                new.append(finding)
        files.append(replace(file, findings=tuple(new)))
    return replace(run, files=tuple(files)), left_out


def _key(file: FileResult, finding: ReportedFinding, place: Path) -> _Key:
    path = os.path.relpath(os.path.realpath(file.path), os.path.dirname(os.path.realpath(place)))
    return path.replace(os.sep, "/"), finding.code, _code_of(file.line_of(finding))


def _code_of(line: str) -> str:
    """A line without a comment to xlaport: to ignore what is new in it makes nothing else new."""
    comment = find(line)
    return (line[: comment[0]] if comment else line).strip()


def _read(place: Path) -> Counter[_Key]:
    try:
        data: Mapping[str, Any] = json.loads(place.read_text(encoding="utf-8"))
        if data["version"] != _VERSION:
            raise UserError(f"--baseline {place}: is of another version of xlaport: write it again, --write-baseline")
        known: Counter[_Key] = Counter()
        for row in data["findings"]:
            known[row["path"], row["code"], _code_of(row["text"])] += max(int(row["count"]), 0)
        return known
    except OSError as error:
        raise UserError(f"--baseline {place}: cannot be read: {error.strerror}") from error
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
        raise UserError(f"--baseline {place}: is no baseline: write one with --write-baseline {place}") from error
