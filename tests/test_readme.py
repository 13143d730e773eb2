"""Every example in the README is run, and prints what the README says."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

README = Path(__file__).parent.parent / "README.md"
BLOCK = re.compile(r"<!-- (file: \S+|run) -->\n```\w+\n(.*?)```", re.DOTALL)


def steps() -> Iterator[tuple[str, str]]:
    """The marked blocks: what they are, and their text."""
    for match in BLOCK.finditer(README.read_text(encoding="utf-8")):
        yield match[1], match[2]


def matches(expected: str, actual: str) -> bool:
    """Whether the output is as written; ``...`` stands for anything, also for lines."""
    parts = [re.escape(part) for part in expected.strip().split("...")]
    return re.fullmatch(".*?".join(parts), actual.strip(), re.DOTALL) is not None


def test_examples_print_what_they_show(tmp_path: Path) -> None:
    environment = {**os.environ, "PJRT_DEVICE": "CPU", "NO_COLOR": "1"}
    commands = 0
    for what, text in steps():
        if what.startswith("file: "):
            (tmp_path / what.removeprefix("file: ")).write_text(text, encoding="utf-8")
            continue
        command, _, expected = text.partition("\n")
        words = command.removeprefix("$ ").split()
        programs = {
            "xlaport": [sys.executable, "-m", "xlaport"],
            "python": [sys.executable],
            "sed": ["sed"],
            "cp": ["cp"],
        }
        program = programs[words[0]]
        run = subprocess.run(
            [*program, *words[1:]],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert matches(expected, run.stdout), f"{command} printed\n{run.stdout}\n{run.stderr[-2000:]}"
        commands += 1
    assert commands == README.read_text(encoding="utf-8").count("\n$ ") > 15


def test_every_python_and_console_block_is_marked() -> None:
    text = README.read_text(encoding="utf-8")
    assert len(re.findall(r"^```\w+$", text, re.MULTILINE)) == len(list(steps()))


def test_a_difference_is_seen() -> None:
    assert matches("a ... c", "a b\nb c")
    assert not matches("a ... c", "a b d")
