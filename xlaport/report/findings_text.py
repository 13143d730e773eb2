"""The findings for people: what was done, what ``--unsafe`` would do, and what is left for them.

One function for each thing that a run can be: a check, a conversion, a diff. A finding counts as fixed if
the new text has its fix, written or not. `unsafe` says whether the run applied unsafe fixes too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from xlaport.config import SEVERAL_PROCESSES
from xlaport.report import all_errors
from xlaport.result import FileResult, ReportedFinding, RunResult
from xlaport.rule import Applicability


def render_check(run: RunResult, *, unsafe: bool = False, color: bool = False) -> str:
    """What a conversion would find and do; nothing was written."""
    view = _View("a conversion fixes it", "a conversion would fix {findings} in {files}", unsafe, color)
    return _blocks([*_findings(run, view), *_ending(run, view)])


def render_convert(run: RunResult, *, unsafe: bool = False, color: bool = False) -> str:
    """What was found and what was written."""
    view = _View("fixed", "fixed {findings} in {files}", unsafe, color)
    return _blocks([*_findings(run, view), *_ending(run, view)])


def render_diff_notes(run: RunResult, *, unsafe: bool = False, color: bool = False) -> str:
    """What the diff itself does not show, to be printed beside it: what is left, the errors, the totals."""
    view = _View(None, "the diff fixes {findings} in {files}", unsafe, color)
    return _blocks([*_findings(run, view), *_ending(run, view)])


@dataclass(frozen=True)
class _View:
    """What differs between the reports."""

    fixed: str | None
    """The mark of a finding that has been fixed; None where such findings are not shown."""
    summary: str
    """What is said of all of them; takes ``{findings}`` and ``{files}``."""
    unsafe: bool
    color: bool

    def paint(self, role: str, text: str) -> str:
        """`text`, looking like what it is."""
        return f"\033[{_COLORS[role]}m{text}\033[0m" if self.color else text

    def mark(self, finding: ReportedFinding) -> str | None:
        """What became of a finding."""
        if finding.fixed:
            return self.fixed
        if self.waits(finding):
            return f"with {'--multi or ' if finding.code.startswith(SEVERAL_PROCESSES) else ''}--unsafe"
        # Something else was in the way, or the result would not have compiled.
        return None if finding.applicability is Applicability.MANUAL else "not fixed"

    def waits(self, finding: ReportedFinding) -> bool:
        """Whether a run with ``--unsafe`` would fix it."""
        return not finding.fixed and not self.unsafe and finding.applicability is Applicability.UNSAFE


# Seven escape sequences are not worth the import of a library at every start.
_COLORS: Mapping[str, str] = {
    "place": "1",
    "code": "36",
    "safe": "32",
    "unsafe": "33",
    "manual": "35",
    "quiet": "2",
    "error": "1;31",
}


def _blocks(blocks: Sequence[Sequence[str]]) -> str:
    """The blocks of lines, with an empty line between them."""
    return "\n".join("".join(f"{line}\n" for line in block) for block in blocks)


def _findings(run: RunResult, view: _View) -> Iterator[list[str]]:
    """One block for each file that has something to show."""
    for file in run.files:
        block = list(_of_file(file, view))
        if block:
            yield block


def _of_file(file: FileResult, view: _View) -> Iterator[str]:
    shown = [finding for finding in file.findings if not finding.fixed or view.fixed is not None]
    source = _LINE_END.split(file.before) if shown else []
    for finding in shown:
        yield from _finding(finding, view)
        by_hand = not finding.fixed and not view.waits(finding)
        # In a notebook the line is one of its cell, not of the file.
        if by_hand and finding.cell is None and finding.line <= len(source):
            yield _excerpt(finding.line, source[finding.line - 1], view)


def _finding(finding: ReportedFinding, view: _View) -> Iterator[str]:
    cell = "" if finding.cell is None else f"cell {finding.cell}:"
    kind = finding.applicability.value
    mark = view.mark(finding)
    first, *others = map(printable, finding.message.splitlines() or [""])
    parts = [
        view.paint("place", f"{printable(finding.path)}:{cell}{finding.line}:{finding.column}"),
        view.paint("code", finding.code),
        view.paint(kind, f"[{kind}]"),
        first,
    ]
    yield " ".join(parts if mark is None else [*parts, view.paint("quiet", f"({mark})")])
    for line in others:
        yield f"    {line}"


def _excerpt(number: int, line: str, view: _View) -> str:
    text = printable(line.strip())
    if len(text) > _WIDTH:
        text = text[:_WIDTH] + " ..."
    return view.paint("quiet", f"    {number} | {text}")


_WIDTH = 100


def _ending(run: RunResult, view: _View) -> Iterator[list[str]]:
    """The errors, and the totals."""
    errors = all_errors(run)
    if errors:
        word = view.paint("error", "error:")
        yield [f"{word} {printable(error.path)}: {printable(error.message)}" for error in errors]
    yield [_summary(run, len(errors), view)]


def _summary(run: RunResult, errors: int, view: _View) -> str:
    findings = run.findings
    fixed = [finding for finding in findings if finding.fixed]
    waiting = sum(map(view.waits, findings))
    left = len(findings) - len(fixed) - waiting
    parts = []
    if fixed:
        files = _count(len({finding.path for finding in fixed}), "file")
        parts.append(view.summary.format(findings=_count(len(fixed), "finding"), files=files))
    if waiting:
        parts.append(f"{waiting} {'more ' if fixed else ''}with --unsafe")
    if left:
        parts.append(f"{left} left for you")
    if not findings:
        parts.append(f"nothing to port in {_count(run.seen, 'Python file')}")
    if errors:
        parts.append(_count(errors, "error"))
    line = "; ".join(parts)
    return f"{line[0].upper()}{line[1:]}."


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


# Python's own line ends, by which lines are numbered; `str.splitlines` knows more.
_LINE_END = re.compile(r"\r\n|\r|\n")

# Controls (a file could steer the terminal), marks that turn the reading order, and lone surrogates.
_UNPRINTABLE = re.compile("[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def printable(text: str) -> str:
    """`text`, fit for a terminal and for a strict encoder: one line, no controls, no lone surrogates."""
    return _UNPRINTABLE.sub(lambda match: _escape(ord(match.group())), text)


def _escape(code: int) -> str:
    if 0xDC80 <= code <= 0xDCFF:  # a byte of a file name
        code -= 0xDC00
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
