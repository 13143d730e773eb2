"""What a planted script says of itself: which findings its fault makes, and in which lines.

The first line of a fault is ``# planted: KIND[@MARK][ seen@MARK][ note], …``: one finding each, `fail` if it is not a
note, in the line that ends in ``# <- MARK`` (``here`` where none is named), in the script or in a file of `PROJECT`.
The run has shown it there, or in the line of ``seen@MARK``. A line that ends in ``# <- cause`` has to be named by the
reason of a finding, and what stands behind ``# says:`` in a line of its own has to be said by one. A clean script has
no faults, but may have reasons.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from pathlib import Path

from xlaport.verify import Verdict
from xlaport.verify.events import Site

PLANTED = Path(__file__).parent / "planted"
PROJECT = PLANTED / "project"
"""The user's other files; what is installed lies beside it, in ``site-packages``."""
FAULTS = sorted((PLANTED / "faults").glob("*.py"))
CLEAN = sorted((PLANTED / "clean").glob("*.py"))

_HEADER = re.compile(r"# planted: (.+)")
_SAYS = re.compile(r"# says: (.+)")
_ITEM = re.compile(r"([a-z-]+)(?:@(\w+))?(?: seen@(\w+))?( note)?")
_MARK = re.compile(r"# <- (\w+(?:, \w+)*)$")


@dataclass(frozen=True)
class Place:
    """A line of a file and the function that it is in."""

    path: Path
    line: int
    function: str


@dataclass(frozen=True)
class Planted:
    """One finding that a script has to get."""

    kind: str
    place: Place
    severity: str
    seen: Place | None = None


@dataclass(frozen=True)
class Expectation:
    """All that is expected of one script; `cause` is the place that a reason has to name, as ``file.py:line``, and
    `says` what a reason or an advice has to say.
    """

    planted: tuple[Planted, ...] = ()
    cause: str | None = None
    says: tuple[str, ...] = ()

    @property
    def verdict(self) -> str:
        return "fail" if any(item.severity == "fail" for item in self.planted) else "pass"


def expectation(script: Path) -> Expectation:
    """What the comments of a script say; `ValueError` if they make no sense."""
    places = _marks(script)
    lines = script.read_text(encoding="utf-8").splitlines()
    says = tuple(found[1] for line in lines if (found := _SAYS.fullmatch(line)))
    header = _HEADER.fullmatch(lines[0])
    if header is None:
        return Expectation(says=says)
    planted = []
    for text in header[1].split(", "):
        item = _ITEM.fullmatch(text)
        mark = (item[2] or "here") if item else None
        if item is None or mark not in places:
            raise ValueError(f"{script}: {text!r} names no marked line")
        seen = places[item[3]] if item[3] else None
        planted.append(Planted(item[1], places[mark], "note" if item[4] else "fail", seen))
    cause = places.get("cause")
    return Expectation(tuple(planted), f"{cause.path.name}:{cause.line}" if cause else None, says)


def _marks(script: Path) -> dict[str, Place]:
    places = {}
    for path in (*sorted(PROJECT.glob("*.py")), script):
        text = path.read_text(encoding="utf-8")
        tree = ast.parse(text)
        for number, line in enumerate(text.splitlines(), 1):
            if found := _MARK.search(line):
                for mark in found[1].split(", "):
                    places[mark] = Place(path, number, _function(tree, number))
    return places


def _function(tree: ast.Module, line: int) -> str:
    """The innermost function that a line is in, its first line included: there it is compiled as a whole."""
    name = "<module>"
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            if node.lineno <= line <= (node.end_lineno or 0):
                name = node.name
        elif isinstance(node, ast.Lambda) and node.body.lineno <= line <= (node.body.end_lineno or 0):
            name = "<lambda>"
    return name


def missed(expected: Expectation, verdict: Verdict) -> list[str]:
    """What was planted and is not found, in words."""
    found = {(item.kind, item.path, item.line, item.function, item.severity, item.seen_at) for item in verdict.findings}
    missing = [
        f"missed {item.severity} {item.kind} at {item.place.path.name}:{item.place.line} {item.place.function}"
        for item in expected.planted
        if (
            *(item.kind, str(item.place.path), item.place.line, item.place.function, item.severity),
            Site(str(item.seen.path), item.seen.line, item.seen.function) if item.seen else None,
        )
        not in found
    ]
    if expected.cause and not any(expected.cause in item.reason for item in verdict.findings):
        missing.append(f"no reason names {expected.cause}")
    said = [text for item in verdict.findings for text in (item.reason, item.advice)]
    missing += [f"nothing says {text!r}" for text in expected.says if not any(text in other for other in said)]
    if verdict.verdict != expected.verdict:
        missing.append(f"{verdict.verdict} in place of {expected.verdict}")
    return missing


def invented(expected: Expectation, verdict: Verdict) -> list[str]:
    """The failures that were found and are not planted, in words."""
    planted = {(item.kind, str(item.place.path), item.place.line) for item in expected.planted}
    return [
        f"invented {item.kind} at {Path(item.path or '?').name}:{item.line} {item.function}: {item.reason}"
        for item in verdict.findings
        if item.severity == "fail" and (item.kind, item.path, item.line) not in planted
    ]
