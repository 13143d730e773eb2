"""Notebooks in a port: their cells run as one script, which stands beside the notebook in each copy of the folder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from xlaport.errors import UserError
from xlaport.notebook.cells import Joined
from xlaport.notebook.convert import is_notebook
from xlaport.notebook.document import MAX_BYTES, decode, read
from xlaport.notebook.placeholders import hidden_in
from xlaport.result import FileResult
from xlaport.source import read_bytes

SETTING = (("XLAPORT_NOTEBOOK", "1"), ("MPLBACKEND", "Agg"))
"""What the run of such a script is given: the names that a kernel has, and no window for a plot."""
_SUFFIX = ".py"


@dataclass(frozen=True)
class Place:
    """A line of a cell, both from 1."""

    cell: int
    line: int


def script_of(script: Path | str) -> Path | str:
    """What is run for a script: for a notebook, the script that stands for it."""
    return f"{script}{_SUFFIX}" if is_notebook(Path(script)) else script


def lay_beside(notebook: Path) -> None:
    """Write the script that stands for a notebook beside it. Raises `UserError` for what is no notebook of Python."""
    Path(script_of(notebook)).write_bytes(code_of(notebook))


def code_of(notebook: Path) -> bytes:
    """The code of a notebook, as Python runs it. Raises `UserError` for what is no notebook of Python."""
    return _opened(notebook).text.encode("utf-8", "surrogatepass")


def left_out(notebook: Path) -> list[str]:
    """What IPython would do, and a script does not, such as ``!pip install`` and ``%cd``: the first line of each."""
    return [
        hidden.strip().splitlines()[0] for part in _opened(notebook).parts for hidden in hidden_in(part.text) if hidden
    ]


def texts(file: FileResult) -> tuple[str, str]:
    """What a file said before and after a conversion, as Python runs it."""
    if not is_notebook(file.path):
        return file.before, file.after
    before, after = (_joined(file.path, text).text for text in (file.before, file.after))
    return before, after


def place_of(file: FileResult, line: int, *, after: bool = False) -> Place | None:
    """Where a line of such a text stands in a notebook; None for other files."""
    if not is_notebook(file.path):
        return None
    cell, inner = _joined(file.path, file.after if after else file.before).place(line)
    return Place(cell.number, inner)


def _opened(notebook: Path) -> Joined:
    return _joined(notebook, decode(notebook, read_bytes(notebook, MAX_BYTES)).text)


def _joined(path: Path, text: str) -> Joined:
    document = read(text)
    if not document.is_python:
        raise UserError(f"{path} is a notebook of {document.language}, not of Python: it cannot be ported")
    joined = Joined(document.cells)
    broken: Sequence[int] = [part.cell.number for part in joined.parts if part.problem is not None]
    if broken:
        raise UserError(f"{path}, cell {broken[0]}: is not Python that can be parsed; port runs all cells: mend it")
    return joined
