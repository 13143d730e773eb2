"""The commands of a launcher: shell scripts, recipes of a Makefile, instructions of a Dockerfile.

Words are told apart as a shell does, by blanks, quotes and expansions; comments and the bodies of
here-documents are no commands. What stands in ``$(…)`` or backquotes is a command of its own; what stands in
a quoted string is looked into where it is a script (``bash -c "…"``), or options that are put into a variable
(``ARGS="--epochs 3"``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from xlaport.documents.document import NEWLINE, Document, Kind
from xlaport.documents.shell import Scanner, Word, values
from xlaport.finding import Span

_ASSIGNMENT = re.compile(r"([A-Za-z_]\w*)(\+?=)")
_PASSED_OVER = frozenset("if then else elif do while until ! { } time exec nohup command builtin".split())
_SHELLS = frozenset({"bash", "sh", "zsh", "eval", "ssh", "su", "watch", "tmux", "screen"})
"""Programs that run what stands in a quoted word."""
_DECLARING = frozenset({"export", "declare", "local", "readonly", "typeset", "env"})


@dataclass(frozen=True)
class Assignment:
    """A variable that is given a value, for one command or for the rest of the script."""

    name: str
    value: str | None
    """The value, where no expansion is in it."""
    span: Span
    """From the name to the end of the value."""
    value_span: Span
    """The value without its quotes."""
    exported: bool = False
    """Whether a word of the shell or of the Dockerfile declares it."""


@dataclass(frozen=True)
class Command:
    """The variables set for a command, and its words; either may be missing."""

    assignments: tuple[Assignment, ...]
    words: tuple[Word, ...]
    instruction: str = ""
    """The Dockerfile's word before it, such as ``RUN``."""

    @property
    def runs(self) -> bool:
        """Whether something is run: not so what a Dockerfile's ``LABEL`` or ``COPY`` says."""
        return self.instruction in ("", "RUN", "CMD", "ENTRYPOINT")

    @property
    def program(self) -> str:
        """The name of the program without its folder; empty where there is none or it is computed."""
        return ((self.words[0].value or "") if self.words else "").rpartition("/")[2]


def commands(document: Document) -> tuple[Command, ...]:
    """The commands in the order of the text."""
    if document.kind is Kind.MAKE:
        return tuple(_of_makefile(document.text))
    scanner = Scanner(document.text, comments_inside=document.kind is Kind.DOCKER)
    lines = scanner.scan(0, len(document.text))
    if document.kind is Kind.DOCKER:
        return tuple(_instruction(document.text, words) for words in lines)
    found: list[Command] = []
    for words in lines:
        command = _command(document.text, words)
        found.append(command)
        for assignment in command.assignments:
            if assignment.value_span.end < assignment.span.end:
                found += _kept_options(document.text, assignment.value_span)
        if command.program in _SHELLS:
            for word in command.words[1:]:
                if word.inner != word.span:
                    found += [_command(document.text, w) for w in scanner.scan(word.inner.start, word.inner.end)]
    return tuple(found)


def _kept_options(text: str, span: Span) -> Iterator[Command]:
    """The options in a string that a variable is set to."""
    if re.search(r"(?<!\S)--?[A-Za-z]", text[span.start : span.end]):
        for words in Scanner(text).scan(span.start, span.end):
            yield Command((), tuple(words))


@dataclass(frozen=True)
class Option:
    """An option of a command: its name without hyphens, and its value, if it has one."""

    name: str
    value: str | None
    """None where the shell computes it; empty where there is none."""
    word: Word
    value_span: Span | None


def options(command: Command) -> Iterator[Option]:
    """The options of a command; ``--name value`` and ``--name=value`` are the same.

    What begins with a hyphen is no value but the next option.
    """
    for word, following in zip(command.words, (*command.words[1:], None), strict=False):
        quotes = word.inner.start - word.span.start
        match = _OPTION.match(word.text, quotes, len(word.text) - quotes)
        if match is None:
            continue
        if match[2]:
            value = None if word.value is None else word.value[match.end() - quotes :].strip("\"'")
            behind = Span(word.inner.start + match.end() - quotes, word.inner.end) if quotes else word.tail(match.end())
            yield Option(match[1], value, word, behind)
        elif following is not None and not following.text.lstrip("\"'").startswith("-"):
            yield Option(match[1], following.value, word, following.inner)
        else:
            yield Option(match[1], "", word, None)


_OPTION = re.compile(r"-{1,2}([A-Za-z][\w.-]*)(=?)")


def _command(text: str, words: list[Word], instruction: str = "") -> Command:
    assignments: list[Assignment] = []
    rest = list(words)
    exported = False
    while rest:
        word = rest[0]
        if (assignment := _assignment(text, word)) is not None:
            assignments.append(replace(assignment, exported=exported))
        elif word.value in _DECLARING:
            exported = word.value != "env"
        elif not (word.value in _PASSED_OVER or (exported and word.text.startswith("-"))):
            break
        rest.pop(0)
    return Command(tuple(assignments), tuple(rest), instruction)


def _assignment(text: str, word: Word) -> Assignment | None:
    match = _ASSIGNMENT.match(text, word.span.start, word.span.end)
    if match is None:
        return None
    behind = word.tail(match.end() - word.span.start)
    value = text[behind.start : behind.end] if word.value is not None else None
    return Assignment(match[1], value, word.span, behind)


_INSTRUCTIONS = frozenset(
    "FROM RUN CMD ENTRYPOINT ENV ARG LABEL COPY ADD WORKDIR EXPOSE USER VOLUME SHELL HEALTHCHECK ONBUILD".split()
)


def _instruction(text: str, words: list[Word]) -> Command:
    name = words[0].text
    if name not in _INSTRUCTIONS:
        return _command(text, words)
    rest = words[1:]
    while rest and name in ("RUN", "FROM", "HEALTHCHECK") and rest[0].text.startswith("--"):
        rest.pop(0)
    if name in ("ENV", "ARG"):
        if rest and name == "ENV" and "=" not in rest[0].text and len(rest) > 1:  # ENV name value
            span = Span(rest[0].span.start, rest[-1].span.end)
            value = text[rest[1].span.start : span.end]
            return Command((Assignment(rest[0].text, value, span, Span(rest[1].span.start, span.end), True),), (), name)
        found = (_assignment(text, word) for word in rest)
        return Command(tuple(replace(item, exported=True) for item in found if item is not None), (), name)
    if rest and rest[0].text.startswith("[") and name in ("RUN", "CMD", "ENTRYPOINT"):
        return Command((), tuple(values(text, Span(rest[0].span.start, rest[-1].span.end))), name)
    if name in ("RUN", "CMD", "ENTRYPOINT"):
        return _command(text, rest, name)
    return Command((), tuple(rest), name)


_VARIABLE = re.compile(r"(?:export[ \t]+|override[ \t]+)*([A-Za-z_][\w.-]*)[ \t]*(?:::|:|\?|\+|!)?=[ \t]*")


def _of_makefile(text: str) -> Iterator[Command]:
    scanner = Scanner(text)
    start = 0
    while start < len(text):
        end = _logical_end(text, start)
        if text[start] == "\t":
            recipe = re.compile(r"[\t @+-]*").match(text, start)
            for words in scanner.scan(recipe.end() if recipe else start, end):
                yield _command(text, words)
        elif (match := _VARIABLE.match(text, start, end)) is not None:
            for words in scanner.scan(match.end(), end):
                value = words[0].value if len(words) == 1 else None
                span = Span(match.start(1), words[-1].span.end)
                inner = words[0].inner if len(words) == 1 else Span(words[0].span.start, span.end)
                yield Command((Assignment(match[1], value, span, inner, "export" in match[0]),), tuple(words))
        start = end


def _logical_end(text: str, start: int) -> int:
    """The offset behind a line and those that a backslash joins to it."""
    while True:
        newline = NEWLINE.search(text, start)
        if newline is None:
            return len(text)
        if not text.endswith("\\", 0, newline.start()):
            return newline.end()
        start = newline.end()
