"""A script cut into cells is converted as the script is: the cells are one program."""

from __future__ import annotations

import ast
import itertools
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.notebook.building import notebook, sources
from xlaport import engine, registry
from xlaport.config import Config
from xlaport.context import known_roles
from xlaport.facts.program import Program
from xlaport.notebook.convert import Notebook, convert_notebook
from xlaport.notebook.document import read
from xlaport.source import Source

SNAPSHOTS = Path(__file__).parent.parent / "snapshots"
# Not those of launches, which a notebook starts by fork, and of what moves a statement further than its cell.
# One in sixteen, by name: which ones does not change with the next case.
SOME = [
    path
    for code in ("XP1", "XP3", "XP5")
    for path in sorted(SNAPSHOTS.glob(f"{code}*/*/before.py"))
    if zlib.crc32(f"{path.parent.parent.name}/{path.parent.name}".encode()) % 16 == 0
]
NOT_TO_BE_CUT = (b"\r", b"\f", b"__future__")
SCRIPTS = [path for path in SOME if not any(mark in path.read_bytes() for mark in NOT_TO_BE_CUT)]


def cells_of(text: str) -> Iterator[str]:
    """The text cut above each top-level statement that begins a line, imports side by side kept together."""
    lines = text.splitlines(keepends=True)
    body = ast.parse(text).body
    start = 0
    for above, below in itertools.pairwise(body):
        first = min([below.lineno, *(d.lineno for d in getattr(below, "decorator_list", ()))])
        together = all(isinstance(s, ast.Import | ast.ImportFrom) for s in (above, below))
        if first > (above.end_lineno or above.lineno) and not together:
            end = above.end_lineno or above.lineno
            while lines[end].startswith((" ", "\t")):  # a comment at the end of its block
                end += 1
            yield "".join(lines[start:end])
            start = end
    yield "".join(lines[start:])


def dense(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.strip()]


@pytest.mark.parametrize("unsafe", [False, True], ids=["safe", "unsafe"])
@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: f"{path.parent.parent.name}-{path.parent.name}")
def test_a_script_cut_into_cells_becomes_what_the_script_becomes(path: Path, unsafe: bool) -> None:
    text = path.read_bytes().decode("utf-8")
    rules, settings = registry.choose(registry.load(), (), ()), Config(unsafe=unsafe).settings()

    def member() -> engine.Member:
        return engine.Member(Program(further=known_roles(settings.target)))

    script = engine.convert(text, "n.py", rules, settings, member=member())
    cells = notebook(*cells_of(text))
    opened = Notebook(Source(Path("n.ipynb"), cells, "utf-8", False, "\n"), read(cells))
    files = convert_notebook(opened, "n.ipynb", rules, settings, member())
    assert not any(file.error for file in files)
    after = files[0].after if files else cells
    assert dense("\n".join(sources(after))) == dense(script.text)
    if files:
        assert len(files[0].findings) == len(script.findings)
