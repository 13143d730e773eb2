"""Findings and the edits that mend them, as plain data.

An edit names a range of the file and what becomes of it, and the engine does the rest (`engine.py` chooses the edits,
`edits.py` turns them into text). All offsets are character offsets into the text that the rule was shown, half open.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from xlaport.wording import Text


class Applicability(enum.Enum):
    """How far a fix may be trusted. The value is what the JSON report prints."""

    SAFE = "safe"
    """The program keeps its values and its shape; applied by default."""
    UNSAFE = "unsafe"
    """May change values, order or output; applied with ``--unsafe``."""
    MANUAL = "manual"
    """No fix, but a recipe."""


class Harm(enum.Enum):
    """What it costs to leave a finding as it is, the worst first. The value is what reports print."""

    ON_CPU = "the program still runs on the CPU"
    WRONG = "it trains nothing, or computes something else"
    STOPS = "it stops with an error, or hangs"
    RECOMPILES = "it recompiles again and again"
    WAITS = "the host waits for the TPU in every step"
    SLOWER = "it costs time or memory"
    LEFTOVER = "a leftover, which does nothing on a TPU"


@dataclass(frozen=True, order=True)
class Span:
    """A half-open range of character offsets."""

    start: int
    end: int

    def overlaps(self, other: Span) -> bool:
        """Whether the two ranges share a character (touching ends do not count)."""
        return self.start < other.end and other.start < self.end

    def contains(self, other: Span) -> bool:
        """Whether `other` lies wholly inside this range."""
        return self.start <= other.start and other.end <= self.end


@dataclass(frozen=True)
class Replace:
    """Put `code` in the place of `span`, which is an expression or a part of one."""

    span: Span
    code: str


@dataclass(frozen=True)
class RemoveArgument:
    """Take one argument (`argument`: its span, with its ``name=``) out of the call at `call`."""

    call: Span
    argument: Span


@dataclass(frozen=True)
class RemoveItem:
    """Take the item whose key lies at `key` out of the dict display at `display`."""

    display: Span
    key: Span


@dataclass(frozen=True)
class RemoveStatement:
    """Take a whole statement out; ``pass`` stays behind where a block would be left empty.

    `with_comment`: the comment lines directly above, at the same indentation, speak of it alone and go, too.
    """

    statement: Span
    with_comment: bool = False


@dataclass(frozen=True)
class ReplaceStatement:
    """Put `code`, one or more lines of statements, in the place of a whole statement."""

    statement: Span
    code: str


@dataclass(frozen=True)
class InsertStatement:
    """Put `code`, one or more lines of statements, on lines of their own beside `anchor`."""

    anchor: Span
    code: str
    before: bool = False
    origin: Span | None = None
    """The code that the inserted lines stem from: findings in them are reported at its place."""


@dataclass(frozen=True)
class MoveStatement:
    """Take a statement, with the comment lines directly above it, to a place beside `anchor`."""

    statement: Span
    anchor: Span
    before: bool = False


Edit = Replace | RemoveArgument | RemoveItem | RemoveStatement | ReplaceStatement | InsertStatement | MoveStatement


def replaced_by(edit: Edit) -> Span | None:
    """The text that an edit takes away or writes anew; None where it only adds or moves."""
    match edit:
        case Replace(span):
            return span
        case RemoveArgument(_, argument):
            return argument
        case RemoveItem(_, key):
            return key
        case RemoveStatement(statement) | ReplaceStatement(statement):
            return statement
    return None


@dataclass(frozen=True, order=True)
class Import:
    """A module to be imported as `name`, asked for by a rule: ``import module [as name]``."""

    module: str
    name: str

    def statement(self) -> str:
        """The import statement that binds `name`."""
        if self.module == self.name:
            return f"import {self.module}"
        return f"import {self.module} as {self.name}"


def line_reference(offset: int) -> str:
    """A placeholder for the line of an offset, for messages: `resolve_lines` puts the number in."""
    return f"\x02{offset}\x03"


def resolve_lines(message: str, line_of: Callable[[int], int | str]) -> str:
    """The message with its line references resolved; `line_of` turns an offset into a line, or what it is called."""
    return re.sub(r"\x02(\d+)\x03", lambda match: str(line_of(int(match[1]))), message)


@dataclass(frozen=True)
class Finding:
    """One place in the source that a rule speaks of.

    `edits` are applied together or not at all, and bring `imports` with them. A finding without edits is
    advice.
    """

    code: str
    name: str
    message: str
    span: Span
    applicability: Applicability
    edits: tuple[Edit, ...] = ()
    imports: tuple[Import, ...] = ()
    recipe: str = ""
    """What to do, where there is no fix."""
    snippet: str = ""
    """What that looks like in code."""
    notes: tuple[str, ...] = ()
    """What is to be known besides: why a fix was not made, whose edit wrote the place."""
    harm: Harm = Harm.SLOWER
    is_possible: bool = False
    """Whether it rests on something unknown: advice to look, or to run. Never edited by."""
    seen: str = ""
    """Which run it rests on, where the source alone does not show it."""
    of_tables: tuple[tuple[str, Text], ...] = field(default=(), compare=False)
    """What is said of it for a target of its own table (`xlaport.wording.Text.of_tables`)."""


def told(finding: Finding, line_of: Callable[[int], int | str]) -> Finding:
    """The finding with the line references in its texts resolved."""

    def resolved(text: str) -> str:
        return resolve_lines(text, line_of)

    return replace(
        finding,
        message=resolved(finding.message),
        recipe=resolved(finding.recipe),
        snippet=resolved(finding.snippet),
        notes=tuple(map(resolved, finding.notes)),
    )
