"""Where the comments stand that ask to leave something as it is, and what text each of them is about.

A comment behind code is about its line, and about the whole of a statement (of a compound one: its head) that begins
or ends in that line. A comment on a line of its own is about the statement that follows it directly.
"""

from __future__ import annotations

import io
import re
import tokenize
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from xlaport.documents.document import NEWLINE, Document, Kind
from xlaport.finding import Finding, Span
from xlaport.suppressions.directive import MARK, Directive, find


@dataclass(frozen=True)
class Suppression:
    """One comment: its place, what it asks for, and the text that it is about (empty: nothing follows it)."""

    span: Span
    line: int
    """From 1."""
    directive: Directive
    governs: Span

    def covers(self, finding: Finding) -> bool:
        """Whether a finding is what it asks to ignore: of its rules, and beginning in its text."""
        return self.directive.names(finding.code) and self.governs.start <= finding.span.start < self.governs.end


@dataclass(frozen=True)
class Suppressions:
    """All of one text, in its order."""

    all: tuple[Suppression, ...] = ()
    statements: tuple[Span, ...] = ()
    """The lines of each statement, or head of one, in order."""
    skips_file: bool = False

    def keeps(self, start: int, *codes: str) -> bool:
        """Whether a comment asks one of some rules to ignore what begins at an offset."""
        return any(
            each.governs.start <= start < each.governs.end and any(map(each.directive.names, codes))
            for each in self.all
        )

    def head(self, span: Span) -> Span:
        """The part of a range that lies in the statement, or the head of one, in which it begins."""
        index = bisect_right(self.statements, span.start, key=lambda s: s.start) - 1
        inside = index >= 0 and span.start < self.statements[index].end
        return Span(span.start, min(span.end, self.statements[index].end)) if inside else span


NONE = Suppressions()
"""Of a text without such comments."""


def in_python(text: str) -> Suppressions:
    """Those of a Python text; where it cannot be cut into tokens, those up to there."""
    return _in_python(text) if MARK in text else NONE


@lru_cache(maxsize=2)  # a text is looked at before, in and after a round
def _in_python(text: str) -> Suppressions:
    return _of(_python(text), text)


def in_document(document: Document) -> Suppressions:
    """Those of another file. JSON has no comments."""
    if MARK not in document.text or document.kind is Kind.JSON:
        return NONE
    return _of(_document(document), document.text)


@dataclass(frozen=True)
class _Comment:
    line: int
    """From 0, as all lines here."""
    column: int
    text: str


_Read = tuple[list[_Comment], list[tuple[int, int]]]
"""The comments, and the first and last line of each statement."""


def _lines(text: str) -> list[Span]:
    starts = [0, *(match.end() for match in NEWLINE.finditer(text)), len(text)]
    return [Span(start, end) for start, end in pairwise(starts)]


def _of(read: _Read, text: str) -> Suppressions:
    comments, statements = read
    lines = _lines(text)
    found: list[Suppression] = []
    skips = False
    for comment in comments:
        directive = find(comment.text)
        if directive is None:
            continue
        offset, asked = directive
        line = lines[comment.line]
        start = line.start + comment.column
        is_alone = not text[line.start : start].strip()
        if asked.skips_file and not (is_alone and offset == 0):
            asked = Directive(
                fault="`skip-file` must be alone on its line", remedy="Move the comment to a line of its own."
            )
        skips = skips or asked.skips_file
        first, last = _governed(comment.line, is_alone, lines, text, statements)
        governs = Span(lines[first].start, lines[last].end) if first <= last else Span(start, start)
        found.append(
            Suppression(Span(start + offset, start + len(comment.text)), comment.line + 1, asked, governs),
        )
    spans = tuple(Span(lines[first].start, lines[last].end) for first, last in statements)
    return Suppressions(tuple(found), spans, skips)


def _governed(
    line: int, is_alone: bool, lines: Sequence[Span], text: str, statements: Sequence[tuple[int, int]]
) -> tuple[int, int]:
    """The first and the last line that a comment is about; the last is the smaller one where that is nothing."""
    around = next(((first, last) for first, last in statements if first <= line <= last), None)
    if not is_alone:
        return around if around and line in around else (line, line)
    below = line + 1
    while below < len(lines) and text[lines[below].start : lines[below].end].lstrip().startswith(("#", ";")):
        below += 1
    if below >= len(lines) or not text[lines[below].start : lines[below].end].strip():
        return 1, 0
    if around:
        return line, below
    return line, next((last for first, last in statements if first <= below <= last), below)


_LAYOUT = (tokenize.NL, tokenize.COMMENT, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)


def _python(text: str) -> _Read:
    comments: list[_Comment] = []
    statements: list[tuple[int, int]] = []
    first: int | None = None
    for token in _tokens(text):
        row = token.start[0] - 1
        if token.type == tokenize.COMMENT:
            comments.append(_Comment(row, token.start[1], token.string))
        elif token.type == tokenize.NEWLINE:
            if first is not None:
                statements.append((first, row))
            first = None
        elif token.type not in _LAYOUT and first is None:
            first = row
    return comments, statements


def _tokens(text: str) -> Iterator[tokenize.TokenInfo]:
    # One line ending for all: `tokenize` does not know a carriage return alone, and columns stay as they are.
    source = io.StringIO(NEWLINE.sub("\n", text))
    try:
        yield from tokenize.generate_tokens(source.readline)
    except (tokenize.TokenError, SyntaxError):
        return


_CONTINUED = {Kind.SHELL, Kind.MAKE, Kind.DOCKER, Kind.REQUIREMENTS}
_HASH = re.compile(r"(?:^|(?<=\s))#\s*xlaport:.*")


def _document(document: Document) -> _Read:
    comments: list[_Comment] = []
    statements: list[tuple[int, int]] = []
    first: int | None = None
    for row, span in enumerate(_lines(document.text)):
        line = document.text[span.start : span.end].rstrip("\r\n")
        for match in _HASH.finditer(line):
            if not is_quoted(line[: match.start()]):
                comments.append(_Comment(row, match.start(), match[0]))
                break
        if not line.strip() or (line.lstrip().startswith("#") and first is None):
            continue
        first = row if first is None else first
        is_comment = line.lstrip().startswith("#")  # inside of a continued command, in a Dockerfile
        if not (document.kind in _CONTINUED and (line.endswith("\\") or is_comment)):
            statements.append((first, row))
            first = None
    return comments, statements


def is_quoted(before: str) -> bool:
    """Whether what follows in the line lies in quotes that are open. An apostrophe in a word opens none."""
    quote, index = "", 0
    while index < len(before):
        character = before[index]
        if character == "\\" and quote != "'":
            index += 1
        elif character == quote:
            quote = ""
        elif not quote and character in "\"'" and not before[index - 1 : index].isalnum():
            quote = character
        index += 1
    return bool(quote)
