"""What a rule author sees: `Rule`, with `Finding`, `Applicability` and the edits (see `xlaport.finding`).

A rule is a guard followed by ``yield Finding(...)``. It never changes a tree and never builds whole-file text.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar

from xlaport.context import Context
from xlaport.documents.document import Document, Kind
from xlaport.finding import (
    Applicability,
    Edit,
    Finding,
    Harm,
    Import,
    InsertStatement,
    MoveStatement,
    RemoveArgument,
    RemoveItem,
    RemoveStatement,
    Replace,
    ReplaceStatement,
    Span,
    line_reference,
    replaced_by,
    resolve_lines,
    told,
)
from xlaport.suppressions.judged import Judged
from xlaport.target import Target, Trait
from xlaport.wording import Text

__all__ = [
    "Applicability",
    "DocumentRule",
    "Edit",
    "Finding",
    "Harm",
    "Import",
    "InsertStatement",
    "MoveStatement",
    "RemoveArgument",
    "RemoveItem",
    "RemoveStatement",
    "Replace",
    "ReplaceStatement",
    "Rule",
    "Span",
    "SuppressionRule",
    "Trait",
    "checked",
    "line_reference",
    "replaced_by",
    "resolve_lines",
    "told",
]


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
    traits: ClassVar[tuple[Trait, ...]] = ()
    """What it speaks of: for a target that has not all of these traits, there is nothing to say."""
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
            of_tables=text.of_tables,
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
