"""The conversion of one notebook: its program, its shell lines and what it says of itself."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from xlaport import engine
from xlaport.documents import convert as documents
from xlaport.documents.document import Document, Kind
from xlaport.finding import Applicability
from xlaport.notebook.cells import Joined, SplitError
from xlaport.notebook.commands import commands_of
from xlaport.notebook.document import MAX_BYTES, NotebookDocument, decode, read
from xlaport.notebook.rewriting import rewritten
from xlaport.result import FileError, FileResult, ReportedFinding
from xlaport.rule import DocumentRule, Rule
from xlaport.source import Source, read_bytes

SUFFIX = ".ipynb"


@dataclass(frozen=True)
class Notebook:
    """A notebook that was read."""

    source: Source
    document: NotebookDocument

    @cached_property
    def joined(self) -> Joined:
        """Its program; empty where it is not one of Python."""
        return Joined(self.document.cells if self.document.is_python else ())

    @cached_property
    def commands(self) -> str:
        """Its shell lines."""
        return commands_of(self.joined)

    @cached_property
    def data(self) -> bytes:
        """The code as the bytes of a file, to be searched for words: with the magics in it, and never parsed."""
        cells = self.document.cells if self.document.is_python else ()
        return "\n".join(cell.source for cell in cells).encode("utf-8", "surrogatepass")


def is_notebook(path: Path) -> bool:
    """Whether a file is a notebook, by its name."""
    return path.name.endswith(SUFFIX)


def open_notebook(path: Path, words: Collection[bytes]) -> Notebook | None:
    """The notebook at `path`; None where it holds none of the trigger words. `UserError` if it is no notebook."""
    data = read_bytes(path, MAX_BYTES)
    if not any(word in data for word in words):
        return None
    source = decode(path, data)
    return Notebook(source, read(source.text))


def foreign(notebook: Notebook) -> str | None:
    """What to say of a notebook that is not of Python."""
    if notebook.document.is_python:
        return None
    return f"is a notebook of {notebook.document.language}, not of Python: nothing in it is converted"


def convert_notebook(
    notebook: Notebook, shown: str, rules: Sequence[Rule], settings: engine.Settings, member: engine.Member | None
) -> list[FileResult]:
    """Convert a notebook in memory, its program as a `member` of a project; without one, look only at what is beside.

    Nothing where no rule has to do with it. What cannot be converted is the error of the result, cells that cannot be
    parsed among it: the others are converted.
    """
    if member is None and b"torch" not in notebook.data:
        return []
    source, joined = notebook.source, notebook.joined
    cells = {part.cell.number: part.cell.source for part in joined.parts}
    result = FileResult(source.path, source.text, source.text, encoding="utf-8", bom=source.bom, cells=cells)
    found = _found_beside(notebook, shown, rules, settings)
    if member is None:
        error = _unread(joined, shown)
        return [replace(result, findings=tuple(sorted(found, key=_order)), error=error)] if found or error else []
    try:
        converted = engine.convert(
            joined.text,
            shown,
            rules,
            settings,
            joined.newline,
            replace(member, is_notebook=True, line_name=joined.line_name),
        )
        sources = joined.split(converted.text)
        after = rewritten(source.text, notebook.document.cells, sources) if sources else source.text
    except engine.ConversionError as error:
        return [replace(result, error=FileError(shown, str(error)))]
    except SplitError as error:
        message = f"{error}; this is a bug, please report it; notebook left as it is"
        return [replace(result, error=FileError(shown, message))]
    findings = [*found, *(_placed(joined, finding) for finding in converted.findings)]
    result = replace(result, possible=tuple(_placed(joined, finding) for finding in converted.possible))
    return [replace(result, after=after, findings=tuple(sorted(findings, key=_order)), error=_unread(joined, shown))]


def _unread(joined: Joined, shown: str) -> FileError | None:
    """One error for all cells that are not Python and should be."""
    broken = [(part.cell.number, *part.problem) for part in joined.parts if part.problem is not None]
    if not broken:
        return None
    number, line, why = broken[0]
    message = f"cell {number}, line {line}: this is not Python that can be parsed ({why}); cell left as it is"
    if len(broken) > 1:
        others = ", ".join(f"{number} (line {line})" for number, line, _ in broken[1:])
        message += f", and so {'are cells' if len(broken) > 2 else 'is cell'} {others}"
    return FileError(shown, message)


def _found_beside(
    notebook: Notebook, shown: str, rules: Sequence[Rule], settings: engine.Settings
) -> list[ReportedFinding]:
    """The findings in shell lines, which are reported and never rewritten, and in the metadata."""
    chosen = [rule for rule in rules if isinstance(rule, DocumentRule)]
    if b"torch" not in notebook.data:
        return []
    commands = documents.convert(Document(notebook.commands, Kind.SHELL), shown, chosen, settings)
    whole = documents.convert(Document(notebook.source.text, Kind.NOTEBOOK), shown, chosen, settings)
    by_hand = [
        replace(finding, fixed=False, applicability=Applicability.MANUAL)
        for finding in (_placed(notebook.joined, finding) for finding in commands.findings)
    ]
    return [*by_hand, *whole.findings]


def _placed(joined: Joined, finding: ReportedFinding) -> ReportedFinding:
    """A finding of the joined text, in its cell."""
    cell, line = joined.place(finding.line)
    last, end = joined.place(finding.end_line)
    if last != cell:
        end = line
    # The edits of the fix are places in the joined text, which no reader of a report has.
    return replace(finding, cell=cell.number, line=line, end_line=end, fix=None)


def _order(finding: ReportedFinding) -> tuple[int, int, int, str]:
    return (finding.cell or 0, finding.line, finding.column, finding.code)
