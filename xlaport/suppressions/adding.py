"""Comments that ask to ignore what is found today, written beside it: ``check --add-ignores``."""

from __future__ import annotations

import configparser
import io
import re
import sys
import tokenize
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

from xlaport import project, source
from xlaport.documents.document import NEWLINE, Document, Kind, kind_of
from xlaport.errors import UserError
from xlaport.report import all_errors
from xlaport.result import FileError, FileResult, ReportedFinding, RunResult
from xlaport.suppressions.comments import Suppressions, in_document, in_python, is_quoted
from xlaport.suppressions.directive import MARK

_OWN = re.compile(r"#\s*xlaport:\s*ignore\[(?P<codes>[^\]]*)\]")


@dataclass(frozen=True)
class Added:
    """What came of it."""

    ignored: int
    """Findings that have a comment now."""
    left: tuple[ReportedFinding, ...]
    """Those beside which no comment can stand: in notebooks, in JSON, in the middle of a text."""
    errors: tuple[FileError, ...]


@dataclass(frozen=True)
class _Round:
    """What one run led to."""

    left: tuple[ReportedFinding, ...] = ()
    errors: tuple[FileError, ...] = ()
    changed: bool = False


ROUNDS = 5
"""What is ignored changes what else is found: without a barrier, the reads behind it are another rule's."""


def add(run: Callable[[], RunResult], judges: Collection[str]) -> Added:
    """Write the comments into the files of a run, until it finds nothing more beside which one can stand.

    `judges`: the codes of the rules about such comments. A comment of ours that has become idle is taken out again.
    """
    theirs: dict[Path, frozenset[str]] = {}
    result = run()
    found = sum(finding.code not in judges for finding in result.findings)
    done = _round(result, judges, theirs)
    for _ in range(ROUNDS - 1):
        if not done.changed:
            break
        done = _round(run(), judges, theirs)
    return Added(max(found - len(done.left), 0), done.left, done.errors)


def _round(run: RunResult, judges: Collection[str], theirs: dict[Path, frozenset[str]]) -> _Round:
    """One run with its comments. `theirs`: the lines of each file as the user wrote them, which keep their codes."""
    left: list[ReportedFinding] = []
    errors = list(all_errors(run))
    changed = False
    for file in run.files:
        if not file.findings or file.error is not None:
            continue
        idle = [finding for finding in file.findings if finding.code in judges]
        wanted = replace(file, findings=tuple(finding for finding in file.findings if finding.code not in judges))
        text = without_idle(file.before, idle, theirs.setdefault(file.path, frozenset(file.before.splitlines())))
        open_ones: list[ReportedFinding] = []
        if text == file.before:
            text, open_ones = with_ignores(wanted)
        left += open_ones
        if text == file.before:
            continue
        spelled = source.Source(file.path, file.before, file.encoding, file.bom, "\n")
        try:
            before = source.encode(spelled, file.before)
            source.write_atomically(file.path, source.encode(spelled, text), before)
        except UserError as error:
            errors.append(FileError(project.display_path(file.path), str(error)))
        else:
            changed = True
    return _Round(tuple(left), tuple(errors), changed)


def without_idle(text: str, idle: Sequence[ReportedFinding], theirs: Collection[str]) -> str:
    """The text without those codes in its comments that find nothing; the lines that are `theirs` stay."""
    for finding in sorted(idle, key=lambda each: each.line, reverse=True):
        starts = _starts(text)
        start, end = starts[finding.line - 1], _end_of(text, starts, finding.line - 1)
        comment = _OWN.search(text, start, end)
        if comment is None or text[start:end] in theirs:
            continue
        codes = [code.strip() for code in comment["codes"].split(",")]
        kept = [code for code in codes if not re.search(rf"\b{code}\b", finding.message)]
        if kept:
            text = text[: comment.start("codes")] + ", ".join(kept) + text[comment.end("codes") :]
        elif text[start : comment.start()].strip():
            text = text[: comment.start()].removesuffix("  ") + text[comment.end() :]
        else:
            text = text[:start] + text[starts[finding.line] :]
    return text


def with_ignores(file: FileResult) -> tuple[str, list[ReportedFinding]]:
    """The text of a file with a comment for each finding, and the findings for which there can be none."""
    kind = kind_of(file.path) if file.path.suffix != ".py" else None
    if kind in (Kind.NOTEBOOK, Kind.JSON):
        return file.before, list(file.findings)
    text, left = file.before, []
    # From the end, so that the lines above keep their numbers; those of one line together.
    by_line: dict[int, list[ReportedFinding]] = {}
    for finding in file.findings:
        by_line.setdefault(finding.line, []).append(finding)
    above: list[int] = []  # the lines that a comment was put above
    for line, findings in sorted(by_line.items(), reverse=True):
        codes = sorted({finding.code for finding in findings})
        row = line - 1 + sum(first <= line - 1 for first in above)
        offset = _starts(text)[row] + findings[0].column - 1
        new = next((each for each in _ways(text, kind, row, codes) if _keeps(each, text, kind, offset, codes)), None)
        if new is None:
            left += findings
            continue
        if len(_starts(new.text)) > len(_starts(text)):
            above.append(_line_at(_starts(text), new.at))
        text = new.text
    return text, left


@dataclass(frozen=True)
class _Way:
    """A text with one comment more."""

    text: str
    at: int
    """Where it was put in."""
    length: int
    """How much longer the text is by it."""


def _keeps(way: _Way, before: str, kind: Kind | None, offset: int, codes: Sequence[str]) -> bool:
    """Whether the rules leave what was at an offset alone now, and the file says what it said `before`."""
    there = offset if offset < way.at else offset + way.length
    if kind in _VALUES and _VALUES[kind](before) != _VALUES[kind](way.text):
        return False
    return all(_suppressions(way.text, kind).keeps(there, code) for code in codes)


def _suppressions(text: str, kind: Kind | None) -> Suppressions:
    return in_python(text) if kind is None else in_document(Document(text, kind))


_BEHIND = (None, Kind.YAML, Kind.TOML, Kind.REQUIREMENTS)
"""Kinds of files in which a comment may stand behind something; in the others it would belong to the value."""
_QUOTING = (Kind.SHELL, Kind.MAKE, Kind.DOCKER)
"""Kinds in which a quote may be open over lines, in which a comment is none."""


def _yaml(text: str) -> object:
    import yaml

    try:
        return [(type(event).__name__, getattr(event, "value", None)) for event in yaml.parse(text, yaml.SafeLoader)]
    except yaml.YAMLError:
        return object()  # what cannot be read is like nothing


def _toml(text: str) -> object:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return object()


def _ini(text: str) -> object:
    parser = configparser.RawConfigParser(strict=False, allow_no_value=True)
    try:
        parser.read_string(text)
    except configparser.Error:
        return object()
    return {name: dict(parser[name]) for name in parser}


_VALUES: Mapping[Kind | None, Callable[[str], object]] = {Kind.YAML: _yaml, Kind.TOML: _toml, Kind.INI: _ini}
"""What a file says, as its own reader has it."""


def _ways(text: str, kind: Kind | None, line: int, codes: Sequence[str]) -> Iterator[_Way]:
    """Where the comment may stand, the best place first: behind the line, behind its statement, above it."""
    starts = _starts(text)
    inside = _continued_lines(text) if kind is None else frozenset[int]()
    first, last = _statement(text, kind, starts, line)
    for place in dict.fromkeys((line, last)) if kind in _BEHIND else ():
        end = _end_of(text, starts, place)
        existing = _OWN.search(text, starts[place], end)
        if existing is not None:
            all_codes = sorted({*(code.strip() for code in existing["codes"].split(",") if code.strip()), *codes})
            yield _put(text, existing.start("codes"), existing.end("codes"), ", ".join(all_codes))
        elif place not in inside and not text[starts[place] : end].endswith("\\"):
            yield _put(text, end, end, f"  # xlaport: ignore[{', '.join(codes)}]")
    if (first not in inside or first == line) and not (kind in _QUOTING and is_quoted(text[: starts[first]])):
        head = text[starts[first] : _end_of(text, starts, first)]
        indent = head[: len(head) - len(head.lstrip())]
        newline = match[0] if (match := NEWLINE.search(text)) else "\n"
        yield _put(text, starts[first], starts[first], f"{indent}# xlaport: ignore[{', '.join(codes)}]{newline}")


def _put(text: str, start: int, end: int, new: str) -> _Way:
    return _Way(text[:start] + new + text[end:], start, len(new) - (end - start))


def _statement(text: str, kind: Kind | None, starts: Sequence[int], line: int) -> tuple[int, int]:
    """The first and the last line of the statement that a line belongs to, from 0."""
    # Only a text with such a comment is looked at; one at its end moves nothing.
    for span in _suppressions(f"{text}\n# {MARK}", kind).statements:
        if span.start <= starts[line] < span.end:
            return _line_at(starts, span.start), _line_at(starts, span.end - 1)
    return line, line


def _line_at(starts: Sequence[int], offset: int) -> int:
    return max(index for index, start in enumerate(starts) if start <= offset)


def _starts(text: str) -> list[int]:
    return [0, *(match.end() for match in NEWLINE.finditer(text))]


def _end_of(text: str, starts: Sequence[int], line: int) -> int:
    """Where a line ends, before its newline."""
    match = NEWLINE.search(text, starts[line])
    return match.start() if match else len(text)


def _continued_lines(text: str) -> frozenset[int]:
    """The lines, from 0, whose end lies in a text of several lines, where a comment would be a part of it."""
    found: set[int] = set()
    try:
        for token in tokenize.generate_tokens(io.StringIO(NEWLINE.sub("\n", text)).readline):
            if token.type == tokenize.STRING or tokenize.tok_name[token.type].startswith("FSTRING"):
                found.update(range(token.start[0] - 1, token.end[0] - 1))
    except (tokenize.TokenError, SyntaxError, IndentationError):
        return frozenset(range(text.count("\n") + 1))
    return frozenset(found)
