"""The findings as SARIF 2.1.0, the format that code scanning services and editors exchange.

https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import urllib.parse
import warnings
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import xlaport
from xlaport.finding import Applicability
from xlaport.report import all_errors
from xlaport.report.hunks import applied, line_starts, lines, position
from xlaport.report.printable import printable
from xlaport.result import FileError, FileResult, ReportedFinding, RunResult, TextEdit
from xlaport.rule import Rule

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_ROOT = "SRCROOT"
_LEVELS = {Applicability.SAFE: "note", Applicability.UNSAFE: "warning", Applicability.MANUAL: "warning"}
"""What takes a human is a warning, what ``xlaport convert`` does by itself is a note."""


def render(run: RunResult, rules: Sequence[Rule]) -> str:
    """The run as SARIF, in ASCII. `rules`: those that may have found something, for their pages."""
    found = sorted({finding.code: finding.name for finding in run.findings}.items())
    index = {code: number for number, (code, _) in enumerate(found)}
    pages = {rule.code: rule for rule in rules}
    errors = all_errors(run)
    log = {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "xlaport",
                        "version": xlaport.__version__,
                        "rules": [_rule(code, name, pages.get(code)) for code, name in found],
                    }
                },
                "invocations": [
                    {
                        "executionSuccessful": not errors,
                        "toolExecutionNotifications": [_notification(error) for error in errors],
                    }
                ],
                "originalUriBaseIds": {_ROOT: {"description": {"text": "The folder that xlaport was run in."}}},
                "columnKind": "unicodeCodePoints",
                "newlineSequences": ["\r\n", "\n", "\r"],
                "results": [result for file in run.files for result in _results(file, index)],
                "properties": {"target": run.target},
            }
        ],
    }
    return json.dumps(log, indent=2) + "\n"


def _rule(code: str, name: str, rule: Rule | None) -> dict[str, Any]:
    if rule is None:
        return {"id": code, "name": name}
    page = rule.documentation()
    return {
        "id": code,
        "name": name,
        "shortDescription": {"text": rule.summary},
        "fullDescription": {"text": page.split("\n\n", 1)[0]},
        "help": {"text": page, "markdown": page},
        "defaultConfiguration": {"level": _LEVELS[rule.applicability]},
        "properties": {"tags": ["pytorch", "tpu"], "applicability": rule.applicability.value},
    }


def _results(file: FileResult, index: Mapping[str, int]) -> Iterator[dict[str, Any]]:
    source = lines(file.before)
    seen: dict[str, int] = {}
    # A file that does not compile cannot be asked to do so afterwards.
    compiles = file.path.suffix == ".py" and any(f.fix for f in file.findings) and _compiles(file.before)
    for finding in file.findings:
        text = source[finding.line - 1].strip() if finding.cell is None and finding.line <= len(source) else ""
        same = f"{finding.code}\0{finding.path}\0{finding.cell}\0{text}"
        seen[same] = seen.get(same, 0) + 1
        result: dict[str, Any] = {
            "ruleId": finding.code,
            "ruleIndex": index[finding.code],
            # What is done is no problem any more.
            "kind": "informational" if finding.fixed else "review" if finding.is_possible else "fail",
            "level": "none" if finding.fixed or finding.is_possible else _LEVELS[finding.applicability],
            "message": {"text": _message(finding)},
            "locations": [_location(finding)],
            # By the line's text, so that lines that come above it do not make another finding of it.
            "partialFingerprints": {"findingLine/v1": _digest(f"{same}\0{seen[same]}")},
            "properties": {"applicability": finding.applicability.value, "fixed": finding.fixed},
        }
        # Fixes are written for the text as it was found: where it has been rewritten, they fit no more.
        if finding.fix is not None and finding.cell is None and not finding.fixed and not file.changed:
            # New imports come first at their place.
            edits = sorted([*finding.fix.imports, *finding.fix.edits], key=lambda edit: (edit.start, edit.end))
            if not compiles or _compiles(applied(file.before, edits)):
                result["fixes"] = [_fix(finding, file, edits)]
        yield result


def _message(finding: ReportedFinding) -> str:
    where = "" if finding.cell is None else f"cell {finding.cell}, line {finding.line}: "
    parts = (finding.message, *finding.notes, *(() if finding.fixed else (finding.recipe,)))
    text = where + "\n".join(printable(line) for part in parts for line in part.splitlines())
    # What looks like a link would be shown as one.
    return re.sub(r"\[(?=[^\]\n]*\]\()", r"\\[", text)


def _location(finding: ReportedFinding) -> dict[str, Any]:
    place: dict[str, Any] = {"artifactLocation": _artifact(finding.path)}
    if finding.cell is not None:  # its line is one of its cell, not of the file
        return {
            "physicalLocation": place,
            "logicalLocations": [{"name": f"cell {finding.cell}", "kind": "module"}],
        }
    place["region"] = {
        "startLine": finding.line,
        "startColumn": finding.column,
        "endLine": finding.end_line,
        "endColumn": finding.end_column,
    }
    return {"physicalLocation": place}


def _artifact(path: str) -> dict[str, str]:
    """A file as a URI: relative to the working directory, or absolute where it lies elsewhere."""
    if os.path.isabs(path) or ".." in path.split("/"):
        return {"uri": "file://" + urllib.parse.quote(os.fsencode(os.path.abspath(path)))}
    return {"uri": urllib.parse.quote(os.fsencode(path)), "uriBaseId": _ROOT}


def _fix(finding: ReportedFinding, file: FileResult, edits: Sequence[TextEdit]) -> dict[str, Any]:
    starts = line_starts(file.before)
    is_safe = finding.applicability is Applicability.SAFE
    return {
        "description": {
            "text": "Port this to XLA." if is_safe else "Port this to XLA; it may change values or output."
        },
        "artifactChanges": [
            {
                "artifactLocation": _artifact(finding.path),
                "replacements": [_replacement(edit, starts) for edit in edits],
            }
        ],
    }


def _replacement(edit: TextEdit, starts: Sequence[int]) -> dict[str, Any]:
    line, column = position(edit.start, starts)
    end_line, end_column = position(edit.end, starts)
    return {
        "deletedRegion": {"startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column},
        "insertedContent": {"text": edit.text},
    }


def _compiles(text: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(text, "<fixed>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _notification(error: FileError) -> dict[str, Any]:
    return {
        "level": "error",
        "message": {"text": printable(error.message)},
        "locations": [{"physicalLocation": {"artifactLocation": _artifact(error.path)}}],
    }


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
