"""Programs in which one fact is hidden, behind an alias, a holder, a factory …, each with a harmless twin.

A line of a fault says what has to be found there (``# wants: XP203``, or in another line that does as well, ``# or:``);
a line of its twin, what must not be (``# never: XP203``). ``hidden/TABLE.md`` says what is found today: a change that
finds more, or less, has to change it (``XLAPORT_UPDATE=1``).
"""

from __future__ import annotations

import ast
import os
import re
import shutil
from collections import Counter
from pathlib import Path

import pytest

from xlaport import run, testing
from xlaport.config import Config

FOLDER = Path(__file__).parent / "hidden"
TABLE = FOLDER / "TABLE.md"
CASES = sorted(path for path in FOLDER.iterdir() if path.is_dir())
MARK = re.compile(r"# (wants|or|never): (\S+)")
HEAD = """\
# What is hidden, and what is found of it today

Written by `XLAPORT_UPDATE=1 pytest tests/test_hidden.py`. Found: the rule speaks of the marked line. Possible: it says
that this may be so, and what is not known. Wrong: it speaks of the harmless twin's, too.

"""


_OF_TWIN = {"found": "wrong", "possible": "asked about", "silent": "ok"}


def marks(path: Path) -> dict[int, frozenset[str]]:
    """The codes of the marked lines of a program, from 1."""
    lines = path.read_text(encoding="utf-8").splitlines()
    found = ((line, MARK.search(text)) for line, text in enumerate(lines, 1))
    return {line: frozenset(match[2].split("|")) for line, match in found if match}


def said(path: Path, folder: Path) -> str:
    """Whether a whole conversion speaks of a marked line, with a code of its mark: for sure, or as of what may be."""
    place = Path(shutil.copy(path, folder))
    (file,) = run.convert([place], Config(unsafe=True)).files
    assert file.error is None
    marked = marks(path)
    for findings, how in ((file.findings, "found"), (file.possible, "possible")):
        if any(finding.code in marked.get(finding.line, ()) for finding in findings):
            return how
    return "silent"


def row(case: Path, folder: Path) -> str:
    """A case's line of the table."""
    fault, twin = case / "fault.py", case / "twin.py"
    fact = ast.get_docstring(ast.parse(fault.read_text(encoding="utf-8"))) or ""
    wanted = "|".join(sorted({code for codes in marks(fault).values() for code in codes}))
    today, harmless = said(fault, folder), _OF_TWIN[said(twin, folder)]
    return f"| {case.name} | {fact.splitlines()[0]} | {wanted.replace('|', ' ')} | {today} | {harmless} |"


def rows() -> dict[str, str]:
    """The lines of the table, by their cases."""
    lines = TABLE.read_text(encoding="utf-8").splitlines() if TABLE.exists() else []
    named = {line.split("|")[1].strip(): line for line in lines if line.startswith("| ")}
    return {case.name: named[case.name] for case in CASES if case.name in named}


def written(table: dict[str, str]) -> str:
    """The table as a page, with a line for each family."""
    counts: dict[str, Counter[str]] = {}
    for name, line in table.items():
        _, _, _, today, twin = (part.strip() for part in line.strip("|").split("|"))
        counts.setdefault(name.partition("-")[0], Counter()).update([today, twin])
    totals = sum(counts.values(), Counter())
    lines = ["| hidden by | cases | found | possible | silent | wrong twins |", "|---|---|---|---|---|---|"]
    for family, count in [*sorted(counts.items()), ("all", totals)]:
        figures = [count[how] for how in ("found", "possible", "silent")]
        lines.append(f"| {family} | {sum(figures)} | {' | '.join(map(str, figures))} | {count['wrong']} |")
    lines += ["", "| case | what is hidden | wanted | today | twin |", "|---|---|---|---|---|"]
    return HEAD + "\n".join([*lines, *(table[name] for name in sorted(table))]) + "\n"


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_what_is_found_today(case: Path, tmp_path: Path) -> None:
    assert marks(case / "fault.py"), "nothing is marked"
    assert marks(case / "twin.py"), "nothing is marked in the twin"
    found, table = row(case, tmp_path), rows()
    if testing.UPDATE in os.environ:
        TABLE.write_text(written({**table, case.name: found}), encoding="utf-8")
        table = rows()
    assert table.get(case.name) == found


def test_the_table_is_whole() -> None:
    assert len(CASES) >= 80
    assert list(rows()) == [case.name for case in CASES]
    assert TABLE.read_text(encoding="utf-8") == written(rows())
