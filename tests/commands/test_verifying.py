"""`verify` as a user meets it: one clear line for what fails, and a recording that is judged again."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands.command_line import one_line, write, xlaport_run


@pytest.mark.parametrize(
    ("body", "place", "reason"),
    [
        ("def f():\n    raise ValueError('boom')\nf()\n", "script.py:2 in f(): ", "ValueError: boom"),
        ("def f(:\n", "script.py:1: ", "SyntaxError"),
        ("raise SystemExit(3)\n", "", "exited with code 3"),
        ("import os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n", "", "killed by SIGKILL"),
        ("import time\ntime.sleep(100)\n", "", "Stopped after 3 s: the script was still running"),
        ("print('no torch')\n", "", "without importing torch"),
    ],
)
def test_a_script_that_fails_under_verify_is_one_line(tmp_path: Path, body: str, place: str, reason: str) -> None:
    write(tmp_path, script=body)
    run = xlaport_run("verify", "script.py", "--timeout", "3", "--python", sys.executable, cwd=tmp_path)
    assert run.returncode == 2
    line = one_line(run.stdout)
    assert line.startswith(f"ERROR: {place}")
    assert reason in line
    assert " -> " in line


def test_verify_says_in_one_line_that_there_is_no_script_or_no_torch_xla(tmp_path: Path) -> None:
    missing = xlaport_run("verify", "missing.py", cwd=tmp_path)
    assert missing.returncode == 2
    assert "missing.py" in one_line(missing.stderr)
    write(tmp_path, script="import torch\n")
    empty = tmp_path / "empty"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(empty)], check=True)
    bare = xlaport_run("verify", "script.py", "--python", empty / "bin" / "python", cwd=tmp_path)
    assert bare.returncode == 2
    assert "torch_xla" in one_line(bare.stderr)
    assert "pip install" in bare.stderr


@pytest.mark.parametrize(
    ("option", "place", "reason"),
    [
        ("--html", "folder", "is a folder"),
        ("--html", "missing/page.html", "there is no folder missing"),
        ("--tensorboard", "script.py", "is a file"),
    ],
)
def test_a_report_that_cannot_be_written_is_one_line_before_the_run(
    tmp_path: Path, option: str, place: str, reason: str
) -> None:
    write(tmp_path, script="open('ran', 'w')\n")
    (tmp_path / "folder").mkdir()
    run = xlaport_run("verify", "script.py", option, place, cwd=tmp_path)
    assert run.returncode == 2
    assert one_line(run.stderr).startswith(f"xlaport: {option} {place}: {reason}")
    assert not (tmp_path / "ran").exists()


def test_tensorboard_that_is_not_installed_is_one_line(tmp_path: Path) -> None:
    write(tmp_path, script="open('ran', 'w')\n", tensorboard="raise ImportError('no tensorboard here')\n")
    run = xlaport_run("verify", "script.py", "--tensorboard", "runs", cwd=tmp_path)
    assert run.returncode == 2
    assert "no tensorboard here" in one_line(run.stderr)
    assert "pip install 'xlaport[tensorboard]'" in run.stderr
    assert not (tmp_path / "ran").exists()


def test_verify_runs_a_script_or_judges_a_recording(tmp_path: Path) -> None:
    for arguments, words in [
        ((), "name the script to run, or a recorded run with --metrics FILE"),
        (("a.py", "--metrics", "b"), "leave out SCRIPT"),
        (("--metrics", "b", "--steps", "100", "-m"), "leave out --module, --steps"),
        (("a.py", "--metrics", "b", "--", "--lr"), "leave out SCRIPT"),
        (("--metrics", "b"), "b: cannot be read: No such file"),
    ]:
        run = xlaport_run("verify", *arguments, cwd=tmp_path)
        assert run.returncode == 2
        assert run.stdout == ""
        assert words in one_line(run.stderr)
