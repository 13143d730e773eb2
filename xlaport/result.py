"""What a conversion found and did: the objects that every report is a view of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from xlaport.finding import Applicability, Harm


@dataclass(frozen=True)
class TextEdit:
    """Put `text` in the place of the characters from `start` to `end` of a file's text before the conversion."""

    start: int
    end: int
    text: str


@dataclass(frozen=True)
class Fix:
    """What the fix of one finding does to a file that is otherwise as it was."""

    edits: tuple[TextEdit, ...]
    imports: tuple[TextEdit, ...] = ()
    """The imports that the edits need."""


@dataclass(frozen=True)
class ReportedFinding:
    """A finding with its place in the text as it was before the conversion (lines and columns from 1).

    In a notebook these count in `cell`, the number of a cell among all, from 1; without one, in the file itself.
    """

    code: str
    name: str
    message: str
    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    applicability: Applicability
    fixed: bool = False
    cell: int | None = None
    fix: Fix | None = None
    """Its fix, alone; None where it has none, or where it follows only from the fixes of others."""
    recipe: str = ""
    """What to do by hand."""
    snippet: str = ""
    """What that looks like in code, in lines."""
    notes: tuple[str, ...] = ()
    """What is to be known besides: why a fix was not made, whose edit wrote the place."""
    harm: Harm = Harm.SLOWER
    is_possible: bool = False
    """Whether it rests on something that the code does not show."""
    seen: str = ""
    """Which run it rests on, where the code alone does not show it; a note says so, too."""


@dataclass(frozen=True)
class FileError:
    """A file that could not be read, parsed, converted or written; it was left as it was."""

    path: str
    message: str


@dataclass(frozen=True)
class FileResult:
    """One file: its findings, and its text before and after (the same object where nothing changed)."""

    path: Path
    before: str
    after: str
    findings: tuple[ReportedFinding, ...] = ()
    error: FileError | None = None
    encoding: str = "utf-8"
    bom: bool = False
    """How the file is spelled on the disk; not part of its text."""
    cells: Mapping[int, str] | None = None
    """For a notebook, the sources of its code cells by their numbers, as they were."""
    place: Path | None = None
    """Where the conversion was written; None where it was not."""
    possible: tuple[ReportedFinding, ...] = ()
    """What may be so besides: it counts for no exit code, and is shown on request."""

    def as_found(self) -> FileResult:
        """The file as it is where nothing is written: its text unchanged, no finding fixed."""
        findings = tuple(replace(finding, fixed=False) for finding in self.findings)
        return replace(self, after=self.before, findings=findings)

    def with_possible(self) -> FileResult:
        """The file with what may be so among its findings."""
        found = [*self.findings, *self.possible]
        return replace(self, findings=tuple(sorted(found, key=lambda f: (f.cell or 0, f.line, f.column, f.code))))

    def line_of(self, finding: ReportedFinding) -> str:
        """The text of the line that a finding begins in, as it was; of a cell, where it is in one."""
        text = self.before if finding.cell is None else (self.cells or {}).get(finding.cell, "")
        found = text.split("\n", finding.line)
        return found[finding.line - 1].rstrip("\r") if finding.line <= len(found) else ""

    @property
    def changed(self) -> bool:
        """Whether the conversion changed the text."""
        return self.before != self.after


@dataclass(frozen=True)
class RunResult:
    """A whole run. `seen` counts Python files and notebooks, `parsed` those that passed the prefilter.

    `documents` counts the other files (configurations, launchers, requirements) that passed theirs.
    """

    target: str
    seen: int
    parsed: int
    files: tuple[FileResult, ...] = ()
    errors: tuple[FileError, ...] = field(default=())
    documents: int = 0
    notebooks: int = 0
    """How many of those seen are notebooks."""
    packs: tuple[str, ...] = ()
    """The rule packs that had a say beside the built-in one."""

    @property
    def findings(self) -> tuple[ReportedFinding, ...]:
        """All findings, by path and place."""
        return tuple(f for file in self.files for f in file.findings)

    @property
    def changed(self) -> tuple[FileResult, ...]:
        """The files whose text changed."""
        return tuple(file for file in self.files if file.changed)

    @property
    def possible(self) -> tuple[ReportedFinding, ...]:
        """What may be so besides, by path and place."""
        return tuple(f for file in self.files for f in file.possible)

    def with_possible(self) -> RunResult:
        """The same run with what may be so among its findings, for a report."""
        return replace(self, files=tuple(file.with_possible() for file in self.files))

    def as_found(self) -> RunResult:
        """The same run with nothing written: what a check reports."""
        return replace(self, files=tuple(file.as_found() for file in self.files))
