"""`rules`, `explain`, `--version`, and what a shell completes."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

import xlaport
from tests.commands.command_line import one_line, xlaport_run


def test_version_rules_and_explain(tmp_path: Path) -> None:
    here = f"Python {platform.python_version()}; writes for torch_xla 2.9"
    assert xlaport_run("--version", cwd=tmp_path).stdout == f"xlaport {xlaport.__version__} ({here})\n"
    table = xlaport_run("rules", cwd=tmp_path).stdout
    codes = [row["code"] for row in json.loads(xlaport_run("rules", "--output-format", "json", cwd=tmp_path).stdout)]
    assert codes == sorted(codes)
    assert codes == [line.split()[0] for line in table.splitlines()]
    for code in (codes[0], codes[-1]):  # (tests/test_pages.py reads all of them)
        page = xlaport_run("explain", code, cwd=tmp_path).stdout
        assert page.startswith(f"# {code}: ")
        assert "## When it is wrong" in page


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("xlaport exp", ["explain"]),
        ("xlaport explain XP20", ["XP201", "XP202"]),
        ("xlaport check --select XP101,XP20", ["XP101,XP201", "XP101,XP202"]),
        ("xlaport check --output-format j", ["json"]),
    ],
)
def test_a_shell_completes_commands_and_codes(tmp_path: Path, words: str, expected: list[str]) -> None:
    asked = {"_XLAPORT_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": str(words.count(" "))}
    command = [sys.executable, "-c", "import sys; sys.argv[0] = 'xlaport'; from xlaport.cli import main; main()"]
    run = subprocess.run(
        command, cwd=tmp_path, env={**os.environ, **asked}, capture_output=True, text=True, check=False
    )
    assert run.stdout.split()[: len(expected)] == expected


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_is_shown_for_a_shell(tmp_path: Path, shell: str) -> None:
    environment = {**os.environ, "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}
    command = [sys.executable, "-c", "import sys; sys.argv[0] = 'xlaport'; from xlaport.cli import main; main()"]
    run = subprocess.run(
        [*command, "--show-completion", shell], cwd=tmp_path, env=environment, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert "_XLAPORT_COMPLETE" in run.stdout
    assert run.returncode == 0


def test_explain_for_a_machine(tmp_path: Path) -> None:
    run = xlaport_run("explain", "optimizer-before-move", "--output-format", "json", cwd=tmp_path)
    assert run.returncode == 0
    row = json.loads(run.stdout)
    assert (row["code"], row["applicability"], row["on_request"]) == ("XP203", "safe", False)
    assert "model.to(torch.device" in row["sections"]["Example"]
    catalogue = json.loads(xlaport_run("rules", "--output-format", "json", cwd=tmp_path).stdout)
    assert row in catalogue


def test_explain_is_json_in_a_terminal_that_knows_ascii_only(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    run = xlaport_run("explain", "XP202", "--output-format", "json", cwd=tmp_path, env=environment)
    assert "…" in json.loads(run.stdout)["documentation"]


def test_explain_lists_a_family(tmp_path: Path) -> None:
    run = xlaport_run("explain", "xp20", cwd=tmp_path)
    assert run.returncode == 0
    assert [line.split()[0] for line in run.stdout.splitlines()] == [f"XP20{number}" for number in range(1, 10)]
    rows = json.loads(xlaport_run("explain", "XP20", "--output-format", "json", cwd=tmp_path).stdout)
    assert len(rows) == 9


@pytest.mark.parametrize(
    ("asked", "meant"),
    [("item_in_step", "XP301 (item-in-step-loop)"),
     ("optimiser-before-move", "XP203 (optimizer-before-move)"), ("XP3O1", "XP301 (item-in-step-loop)")],
)  # fmt: skip
def test_explain_names_the_rule_that_was_meant(asked: str, meant: str, tmp_path: Path) -> None:
    run = xlaport_run("explain", asked, cwd=tmp_path)
    assert run.returncode == 2
    assert run.stdout == ""
    said = one_line(run.stderr)
    assert f"'{asked}'" in said
    assert meant in said


def test_explain_of_what_nothing_is_like(tmp_path: Path) -> None:
    run = xlaport_run("explain", "zzzzzzzz", cwd=tmp_path)
    assert (run.returncode, run.stdout) == (2, "")
    assert "did you mean" not in one_line(run.stderr)


def test_explain_of_several_lines_is_answered_in_one(tmp_path: Path) -> None:
    assert "'XP203\\nXP204'" in one_line(xlaport_run("explain", "XP203\nXP204", cwd=tmp_path).stderr)
