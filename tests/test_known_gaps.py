"""What the tool cannot see yet: small programs with a trap in them, and what is said of each today.

A folder of `known_gaps/` holds the program (`before.py`, or a folder `before`), what a whole unsafe conversion says of
it (`said.txt`), and what it ought to say (`gap.txt`). The test asserts what is said today, so whoever closes a gap has
to move its case to `snapshots/<CODE>/`. ``XLAPORT_UPDATE=1`` writes `said.txt`, for a case that begins.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from xlaport import run, testing
from xlaport.config import Config

FOLDER = Path(__file__).parent / "known_gaps"
CASES = sorted(path for path in FOLDER.iterdir() if path.is_dir())
NOTHING = "nothing\n"


def said(case: Path, folder: Path) -> str:
    """A line for each finding of a whole conversion in a folder, with its file where there are several."""
    (before,) = shutil.copytree(case, folder / case.name).glob("before*")
    result = run.convert([before], Config(unsafe=True))
    assert not result.errors
    lines = [
        (f"{Path(file.path).name}:" if before.is_dir() else "") + line
        for file in result.files
        for line in testing.listed([*file.findings, *file.possible])
    ]
    return "".join(f"{line}\n" for line in lines) or NOTHING


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_what_is_said_today(case: Path, tmp_path: Path) -> None:
    assert (case / "gap.txt").read_text(encoding="utf-8").strip()
    found = said(case, tmp_path)
    if testing.UPDATE in os.environ:
        (case / "said.txt").write_text(found, encoding="utf-8")
    assert found == (case / "said.txt").read_text(encoding="utf-8"), (
        f"{case.name} is spoken of otherwise now: is the gap closed? Then its case belongs to snapshots/"
    )
