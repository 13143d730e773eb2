"""What a rule author sees: `Rule`, `Finding`, `Applicability`, and the edits as plain data.

A rule is a guard followed by ``yield Finding(...)``. It never changes a tree and never builds whole-file
text: an edit names a range of the file and what becomes of it, and the engine does the rest (`engine.py`
chooses the edits, `edits.py` turns them into text). All offsets are character offsets into the text that
the rule was shown, half open.
"""

from __future__ import annotations

import enum
import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from xlaport.wording import Text

if TYPE_CHECKING:
    from xlaport.context import Context
    from xlaport.documents.document import Document, Kind
    from xlaport.suppressions.keeping import Judged
    from xlaport.target import Target


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


def checked(found: Iterable[object]) -> list[Finding]:
    """What a rule has yielded. Raises `TypeError` where that is something else than findings with a range of text."""
    findings: list[Finding] = []
    for item in found:
        if not isinstance(item, Finding) or not isinstance(item.span, Span):
            what = f"a finding at {item.span!r:.40}" if isinstance(item, Finding) else f"{item!r:.40}"
            raise TypeError(f"it yields {what}: wanted is self.finding(context.span(node), message, ...)")
        findings.append(item)
    return findings


class Rule:
    """One rule: subclass it in a module of its own under ``rules/`` and it is found there.

    The docstring of the subclass is its page: what it does, why, before and after, when it is wrong.
    """

    code: ClassVar[str]
    """``XP`` and three digits; never reused."""
    name: ClassVar[str]
    """Short, lower case, hyphens: what is found."""
    summary: ClassVar[str]
    """One line for the catalogue."""
    applicability: ClassVar[Applicability]
    """The applicability of most of its findings; a finding may be stricter."""
    harm: ClassVar[Harm] = Harm.SLOWER
    """What most of its findings cost; a text of `texts.toml` may say another."""
    words: ClassVar[tuple[str, ...]]
    """Trigger words: a file with none of them is not shown to the rule (nor parsed, if no rule wants it)."""
    across: ClassVar[tuple[str, ...]] = ()
    """Trigger words for which a file is looked at that does not mention torch, if it belongs to files that do."""
    residual: ClassVar[bool] = False
    """Whether the rule comes after the others and sees what they found (`Context.is_spoken_of`)."""
    after: ClassVar[tuple[str, ...]] = ()
    """Codes of rules: while their fixes change the file, those of this rule wait for the next round."""
    on_request: ClassVar[bool] = False
    """Whether the rule is a matter of taste, and acts only where its whole code is selected."""
    of_notebooks: ClassVar[bool] = False
    """Whether the rule speaks of notebooks, and of no other file."""

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield the findings of one file."""
        raise NotImplementedError

    def check_possible(self, context: Context) -> Iterator[Finding]:
        """Yield what may be so in one file, where something that nobody can see from the code decides it.

        Asked once, of the file as it was; each message says what is not known.
        """
        return iter(())

    def finding(
        self,
        span: Span,
        message: str | Text,
        *edits: Edit,
        imports: tuple[Import, ...] = (),
        applicability: Applicability | None = None,
    ) -> Finding:
        """A finding of this rule; without edits it is `MANUAL` unless said otherwise.

        `message`: one line, or a text of the pack's `texts.toml` (`xlaport.wording`), which brings its recipe.
        """
        if applicability is None:
            applicability = self.applicability if edits else Applicability.MANUAL
        text = message if isinstance(message, Text) else Text(message)
        harm = Harm[text.harm] if text.harm else self.harm
        return Finding(
            self.code,
            self.name,
            text.message,
            span,
            applicability,
            edits,
            imports,
            text.recipe,
            text.snippet,
            harm=harm,
        )

    @classmethod
    def documentation(cls) -> str:
        """The rule's page, from its docstring."""
        return inspect.getdoc(cls) or cls.summary


class DocumentRule(Rule):
    """A rule over files that are not Python: configurations, launchers, requirements.

    Its fixes are `Replace` edits and never `SAFE`: nobody can see from such a file which program reads it.
    """

    kinds: ClassVar[tuple[Kind, ...]]
    """The kinds of files that it reads; its example is of the first."""

    def check(self, context: Context) -> Iterator[Finding]:
        """Nothing: a file of Python is no document."""
        return iter(())

    def check_document(self, document: Document, target: Target) -> Iterator[Finding]:
        """Yield the findings of one file."""
        raise NotImplementedError


class SuppressionRule(Rule):
    """A rule over the comments that ask to ignore findings (``# xlaport: ignore[XP301]``), in files of any kind.

    It comes last, when it is known which of them did something.
    """

    def check(self, context: Context) -> Iterator[Finding]:
        """Nothing: the code is the affair of the other rules."""
        return iter(())

    def check_suppressions(self, comments: Sequence[Judged]) -> Iterator[Finding]:
        """Yield the findings of one file."""
        raise NotImplementedError
