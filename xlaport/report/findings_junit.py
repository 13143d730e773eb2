"""The findings as JUnit XML, which CI services show as tests: a suite for each file, a failure for each finding.

https://github.com/testmoapp/junitxml has the format, which no standard defines.
"""

from __future__ import annotations

import re
from xml.etree import ElementTree as xml

from xlaport.report import all_errors
from xlaport.report.printable import printable
from xlaport.result import FileError, ReportedFinding, RunResult

_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render(run: RunResult) -> str:
    """The findings that are not fixed, and the errors, as XML; where there is none, one test that passes."""
    open_ones: dict[str, list[ReportedFinding]] = {}
    for finding in run.findings:
        if not finding.fixed:
            open_ones.setdefault(finding.path, []).append(finding)
    errors = all_errors(run)
    tests, failures = sum(map(len, open_ones.values())), sum(map(_failures, open_ones.values()))
    counts = {"tests": str(tests + len(errors) or 1), "failures": str(failures), "errors": str(len(errors))}
    root = xml.Element("testsuites", {"name": "xlaport", **counts})
    for path, findings in open_ones.items():
        number = str(len(findings))
        failed = str(_failures(findings))
        suite = _below(root, "testsuite", name=path, tests=number, failures=failed, errors="0")
        for finding in findings:
            _finding(suite, finding)
    for error in errors:
        _error(_below(root, "testsuite", name=error.path, tests="1", failures="0", errors="1"), error)
    if not open_ones and not errors:
        suite = _below(root, "testsuite", name="xlaport", tests="1", failures="0", errors="0")
        _below(suite, "testcase", name="nothing to port", classname="xlaport")
    xml.indent(root)
    body: bytes = xml.tostring(root, encoding="us-ascii")  # whatever the encoding of the terminal is
    return f'<?xml version="1.0" encoding="utf-8"?>\n{body.decode()}\n'


def _failures(findings: list[ReportedFinding]) -> int:
    """How many fail: what is only possible is a test that is skipped."""
    return sum(not finding.is_possible for finding in findings)


def _finding(suite: xml.Element, finding: ReportedFinding) -> None:
    cell = "" if finding.cell is None else f"cell {finding.cell}:"
    place = f"{cell}{finding.line}:{finding.column}"
    case = _below(
        suite, "testcase", name=f"{finding.code} {place}", classname=finding.path, file=finding.path,
        line=str(finding.line),
    )  # fmt: skip
    if finding.is_possible:
        _below(case, "skipped", message=f"possible: {finding.message}")
        return
    failure = _below(case, "failure", type=finding.code, message=finding.message)
    lines = (f"{finding.path}:{place}", *finding.recipe.splitlines(), *finding.snippet.splitlines())
    failure.text = _fit("\n".join(map(printable, lines)))


def _error(suite: xml.Element, error: FileError) -> None:
    case = _below(suite, "testcase", name="error", classname=error.path, file=error.path)
    _below(case, "error", message=error.message)


def _below(parent: xml.Element, tag: str, **attributes: str) -> xml.Element:
    return xml.SubElement(parent, tag, {name: _fit(printable(value)) for name, value in attributes.items()})


def _fit(text: str) -> str:
    """The text without what XML cannot have."""
    return _NOT_IN_XML.sub("\ufffd", text)
