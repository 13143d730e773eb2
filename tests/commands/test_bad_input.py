"""Bad input of `convert` and `check`: one clear line, exit code 2, and nothing lost."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.commands.command_line import CUDA, PORTED, one_line, write, xlaport_run
from xlaport import run
from xlaport.config import Config
from xlaport.report import all_errors


def test_a_file_that_does_not_parse_is_one_line_and_the_others_are_done(tmp_path: Path) -> None:
    write(tmp_path, a=CUDA, broken='import torch\nx = torch.zeros(3, device="cuda"\n', z=CUDA)
    (tmp_path / "bytes.py").write_bytes(b"import torch  # cuda \xff\n")
    run = xlaport_run("convert", ".", cwd=tmp_path)
    assert run.returncode == 2
    assert "Traceback" not in run.stdout + run.stderr
    errors = [line for line in run.stdout.splitlines() if line.startswith("error")]
    assert len(errors) == 2
    assert any("broken.py" in line and "line 2" in line for line in errors)
    assert any("bytes.py" in line for line in errors)
    assert (tmp_path / "a.py").read_text(encoding="utf-8") == PORTED
    assert (tmp_path / "z.py").read_text(encoding="utf-8") == PORTED


@pytest.mark.parametrize("command", ["convert", "check"])
@pytest.mark.parametrize(
    ("path", "words"),
    [("missing.py", "no such file or folder"), ("empty", "no Python file"), ("a.txt", "not a Python")],
)
def test_what_is_not_there_is_one_line(tmp_path: Path, command: str, path: str, words: str) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "a.txt").write_text("")
    write(tmp_path, train=CUDA)
    run = xlaport_run(command, path, "train.py", cwd=tmp_path)
    assert run.returncode == 2
    lines = [line for line in run.stdout.splitlines() if words in line]
    assert len(lines) == 1
    assert path in lines[0]
    if command == "convert":
        assert (tmp_path / "train.py").read_text(encoding="utf-8") == PORTED


def test_an_unknown_rule_target_or_combination_is_one_line(tmp_path: Path) -> None:
    write(tmp_path, train=CUDA)
    for options, word in [
        (["--select", "XP9999"], "XP9999"),
        (["--target", "1.0"], "1.0"),
        (["--diff", "--out", "x"], "--diff"),
    ]:
        run = xlaport_run("convert", "train.py", *options, cwd=tmp_path)
        assert run.returncode == 2
        assert word in one_line(run.stderr)
    assert (tmp_path / "train.py").read_text(encoding="utf-8") == CUDA
    assert one_line(xlaport_run("explain", "XP9999", cwd=tmp_path).stderr)


def test_a_deeply_nested_file_is_one_line(tmp_path: Path) -> None:
    write(tmp_path, deep="import torch\ntorch.cuda.init()\nx = " + "(" * 5000 + ")" * 5000 + "\n", a=CUDA)
    run = xlaport_run("convert", ".", cwd=tmp_path)
    assert run.returncode == 2
    assert "Traceback" not in run.stdout + run.stderr
    assert (tmp_path / "a.py").read_text(encoding="utf-8") == PORTED


def test_a_read_only_file_keeps_its_text_and_the_others_are_done(tmp_path: Path) -> None:
    write(tmp_path, a=CUDA, b=CUDA)
    (tmp_path / "a.py").chmod(0o444)
    run = xlaport_run("convert", ".", cwd=tmp_path)
    assert run.returncode == 2
    assert "a.py" in next(line for line in run.stdout.splitlines() if line.startswith("error"))
    assert (tmp_path / "a.py").read_text(encoding="utf-8") == CUDA
    assert (tmp_path / "b.py").read_text(encoding="utf-8") == PORTED


def test_a_file_that_changes_meanwhile_keeps_what_was_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, a=CUDA, b=CUDA)
    monkeypatch.chdir(tmp_path)
    result = run.convert([Path()], Config())
    write(tmp_path, a=CUDA + "# and this\n")
    result = run.write(result)
    assert [error.message for error in all_errors(result)] == [
        "was changed by somebody else while it was converted: nothing was written; run again"
    ]
    assert not any(finding.fixed for finding in result.files[0].findings)
    assert (tmp_path / "a.py").read_text(encoding="utf-8") == CUDA + "# and this\n"
    assert (tmp_path / "b.py").read_text(encoding="utf-8") == PORTED


def test_two_conversions_at_once_do_what_one_does(tmp_path: Path) -> None:
    names = [f"f{i}" for i in range(40)]
    write(tmp_path, **dict.fromkeys(names, CUDA))
    command = [sys.executable, "-m", "xlaport", "convert", "."]
    runs = [subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.DEVNULL) for _ in range(3)]
    assert [each.wait(timeout=120) for each in runs] == [0, 0, 0]
    assert {file.read_text(encoding="utf-8") for file in tmp_path.iterdir()} == {PORTED}
    assert len(list(tmp_path.iterdir())) == len(names)


def test_pipes_and_sockets_are_not_waited_for(tmp_path: Path) -> None:
    write(tmp_path, a=CUDA)
    for name in ("pipe.py", ".gitignore", "pipe.yaml"):
        os.mkfifo(tmp_path / name)
    for path in (".", "a.py"):
        assert xlaport_run("check", path, cwd=tmp_path).returncode == 1
    found = xlaport_run("check", "pipe.py", cwd=tmp_path)
    assert found.returncode == 2
    assert "error: pipe.py: not a Python file" in found.stdout


def test_a_conversion_killed_at_any_moment_leaves_whole_files(tmp_path: Path) -> None:
    repo = tmp_path / "repo"
    body = CUDA + "".join(f'y{i} = torch.ones({i}, device="cuda")\n' for i in range(10))
    names = [f"f{i}" for i in range(30)]
    write(repo, **dict.fromkeys(names, body))
    start = time.monotonic()
    assert xlaport_run("convert", ".", "--out", "../whole", cwd=repo, env=dict(os.environ)).returncode == 0
    duration = time.monotonic() - start
    after = (tmp_path / "whole" / "f0.py").read_text(encoding="utf-8")
    choose = random.Random(7)
    outcomes: set[str] = set()
    groups: list[int] = []
    for tried in range(100):
        if tried >= 25 and outcomes == {"old", "new"}:
            break  # on a busy machine it takes more tries to hit the moment
        write(repo, **dict.fromkeys(names, body))
        process = subprocess.Popen(
            [sys.executable, "-m", "xlaport", "convert", "."],
            cwd=repo,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        time.sleep(duration * choose.uniform(0.3, 1.1 + tried / 50))
        process.send_signal(signal.SIGKILL)
        process.wait()
        for name in names:
            text = (repo / f"{name}.py").read_text(encoding="utf-8")
            assert text in (body, after), f"{name}.py is half-written"
            outcomes.add("old" if text == body else "new")
        groups.append(process.pid)
    assert outcomes == {"old", "new"}, "the kills never fell into a conversion"
    for _ in range(60):
        groups = [group for group in groups if is_alive(group)]
        if groups:
            time.sleep(0.5)
    assert not groups, "the processes that shared the work go on without the one that was killed"


def is_alive(group: int) -> bool:
    """Whether a process group has a process."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True
