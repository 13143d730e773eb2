"""Every example of the README and of the pages is run, and prints what the page says.

``XLAPORT_UPDATE=1 pytest tests/docs/test_examples.py`` writes what is printed now, where no ``...`` stands.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.examples import ROOT, Printed, matches, pages, play, unmarked
from tests.warm_python import with_xlaport

OTHERS = {"python": sys.executable, "cat": "cat", "cp": "cp"}
PAGES = {page.relative_to(ROOT).as_posix(): page for page in pages()}
UPDATE = bool(os.environ.get("XLAPORT_UPDATE"))


def in_folder(folder: Path, words: list[str]) -> Printed:
    """What one of the programs prints in a folder."""
    environment = {
        **os.environ, "PJRT_DEVICE": "CPU", "NO_COLOR": "1", "PYTHONPATH": str(ROOT), "XLAPORT_NO_CACHE": "1",
        "COLUMNS": "80",
    }  # fmt: skip
    typed = (folder / words[-1]).read_text(encoding="utf-8") if words[-2:-1] == ["<"] else None
    program = [with_xlaport(), "-m", "xlaport"] if words[0] == "xlaport" else [OTHERS[words[0]]]
    done = subprocess.run(
        [*program, *(words[1:] if typed is None else words[1:-2])],
        cwd=folder,
        input=typed,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    return Printed(done.stdout, done.returncode, done.stderr)


@pytest.mark.parametrize("name", [name for name, page in PAGES.items() if "<!-- run" in page.read_text("utf-8")])
def test_examples_print_what_they_show(name: str, tmp_path: Path) -> None:
    before = PAGES[name].read_text(encoding="utf-8")
    after, wrong = play(before, tmp_path, lambda words: in_folder(tmp_path, words), update=UPDATE)
    if after != before:
        PAGES[name].write_text(after, encoding="utf-8")
    assert not wrong, "\n\n".join(wrong)


@pytest.mark.parametrize("name", sorted(PAGES))
def test_every_block_is_marked(name: str) -> None:
    assert unmarked(PAGES[name].read_text(encoding="utf-8")) == 0


def test_every_command_is_shown() -> None:
    """Each command of xlaport is run in some example."""
    text = "\n".join(page.read_text(encoding="utf-8") for page in PAGES.values())
    for command in ("convert", "check", "verify", "recorder", "doctor", "launch", "explain", "rules"):
        assert f"$ xlaport {command}" in text, command


def test_a_difference_is_seen(tmp_path: Path) -> None:
    assert matches("a ... c", "a b\nb c")
    assert not matches("a ... c", "a b d")
    page = "<!-- file: a/b.txt -->\n```text\nb\n```\n\n<!-- run -->\n```console\n$ cat b\nold\n$ cat c\nold ...\n```\n"

    def run(words: list[str]) -> Printed:
        return Printed(f"new {words[1]}\n", 0)

    text, wrong = play(page, tmp_path, run)
    assert (tmp_path / "a" / "b.txt").read_text() == "b\n"
    assert (text, len(wrong)) == (page, 2)
    text, wrong = play(page, tmp_path, run, update=True)
    assert "$ cat b\nnew b\n$ cat c\nold ...\n" in text
    assert len(wrong) == 1


def test_an_error_is_seen(tmp_path: Path) -> None:
    page = "<!-- run -->\n```console\n$ cat b\n...\n```\n"
    assert play(page, tmp_path, lambda _: Printed("", 2))[1]
    assert not play(page, tmp_path, lambda _: Printed("", 1))[1]
    assert not play(page.replace("run", "run: 2"), tmp_path, lambda _: Printed("", 2))[1]
