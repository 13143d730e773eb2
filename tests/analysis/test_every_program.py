"""The analysis goes through every program that the tests have, and comes to an end."""

from __future__ import annotations

from pathlib import Path

import pytest

from xlaport.analysis.analysis import MOST_RUNS, Analysis
from xlaport.facts.module import Module
from xlaport.facts.program import Program

TESTS = Path(__file__).parents[1]
FOLDERS = sorted(path for path in (TESTS / "snapshots").iterdir() if path.is_dir())


def parsed(file: str, data: bytes) -> Module | None:
    try:
        return Module(data.decode("utf-8"))
    except (SyntaxError, ValueError):
        return None


@pytest.mark.parametrize("folder", FOLDERS, ids=[folder.name for folder in FOLDERS])
def test_the_cases_of_a_rule(folder: Path) -> None:
    for path in sorted(folder.rglob("before.py")):
        program = Program({str(path): path.read_bytes()}, (str(path.parent),), parse=parsed)
        own = program.facts(str(path))
        assert own is not None
        analysis = Analysis(own.program, own)
        analysis.run(program.files)
        assert analysis.most_runs < MOST_RUNS, f"{path}: a body is run again and again"
