"""What happens to the command line where its streams, or its working directory, are not what they should be."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

CUDA = "import torch\nx = torch.zeros(3).cuda()\n"
XLAPORT = f"{shlex.quote(sys.executable)} -m xlaport"


def shell(line: str, cwd: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a line of the shell in which `xlaport` is ours. Its standard error is ours, too."""
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(Path(__file__).parents[2]), **variables}
    return subprocess.run(
        ["bash", "-c", line.replace("xlaport", XLAPORT, 1)], cwd=cwd, env=environment, capture_output=True, text=True,
        check=False,
    )  # fmt: skip


@pytest.fixture
def here(tmp_path: Path) -> Path:
    (tmp_path / "a.py").write_text(CUDA)
    return tmp_path


full = pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")


@full
@pytest.mark.parametrize(
    "command",
    ["check a.py", "check --output-format json a.py", "convert --diff a.py", "explain XP201", "--version", "--help"],
)
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_full_output_is_one_line(here: Path, command: str, unbuffered: str) -> None:
    run = shell(f"xlaport {command} >/dev/full", here, PYTHONUNBUFFERED=unbuffered)
    lines = [line for line in run.stderr.splitlines() if line.startswith("xlaport:")]
    assert lines == ["xlaport: cannot write the output: No space left on device"]
    assert "Traceback" not in run.stderr
    assert "Exception ignored" not in run.stderr
    assert run.returncode == 2


@full
@pytest.mark.parametrize("command", ["check nothing.py", "check a.py --select XQ9", "check --nonsense"])
def test_a_full_standard_error_changes_no_exit_code(here: Path, command: str) -> None:
    assert shell(f"xlaport {command} 2>/dev/full", here).returncode == 2


@pytest.mark.parametrize(("command", "code"), [("check a.py", 1), ("convert --diff a.py", 1), ("--version", 0)])
@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-", ">&- 2>&- <&-"])
def test_closed_streams_change_no_exit_code(here: Path, command: str, code: int, closed: str) -> None:
    run = shell(f"xlaport {command} {closed}", here)
    assert "Traceback" not in run.stderr
    assert run.returncode == code
    assert (here / "a.py").read_text() == CUDA


def test_a_port_is_not_written_into_what_was_standard_output(here: Path) -> None:
    assert shell("xlaport convert a.py >&- <&-", here).returncode == 0
    assert ".to(torch_xla.device())" in (here / "a.py").read_text()


def test_ascii_and_no_environment(tmp_path: Path) -> None:
    (tmp_path / "é.py").write_text(CUDA)
    run = shell("xlaport check é.py", tmp_path, PYTHONIOENCODING="ascii", LC_ALL="C", PYTHONCOERCECLOCALE="0")
    assert run.stdout.startswith(("\\xc3\\xa9.py\n  2:5  XP102", "\\xe9.py\n  2:5  XP102"))
    assert run.returncode == 1


def test_a_working_directory_that_is_gone(here: Path) -> None:
    (here / "gone").mkdir()
    for path in (".", "../a.py"):
        run = shell(f"cd gone; rmdir ../gone; xlaport check {path}; code=$?; mkdir ../gone; exit $code", here)
        assert run.stderr == "xlaport: the working directory is gone: change to a folder that exists\n"
        assert run.returncode == 2
    run = shell(f"cd gone; rmdir ../gone; xlaport check {here}/a.py", here)
    assert run.returncode == 1


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_an_interrupted_conversion_says_so_and_leaves_whole_files(tmp_path: Path, name: str) -> None:
    number = signal.Signals[name]
    for i in range(300):
        (tmp_path / f"f{i}.py").write_text(CUDA)
    run = subprocess.Popen(
        [sys.executable, "-m", "xlaport", "convert", "."], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )  # fmt: skip
    # As soon as the first file is written, the others are about to be.
    while run.poll() is None and not any("xla" in file.read_text() for file in tmp_path.glob("f*.py")):
        time.sleep(0.01)
    run.send_signal(number)
    _, errors = run.communicate(timeout=60)
    assert run.returncode == 128 + number
    assert errors == "xlaport: interrupted; every file is whole: as it was, or ported\n"
    texts = {file.read_text() for file in tmp_path.iterdir()}
    assert len(texts) == 2
    assert CUDA in texts
    assert len(list(tmp_path.iterdir())) == 300, "a temporary file was left"
