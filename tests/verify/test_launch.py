"""How a script is started and ended, without torch."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from xlaport.errors import UserError
from xlaport.verify import VerifyRequest
from xlaport.verify.launch import run

PRINT_ENVIRONMENT = "import os; print({k: v for k, v in os.environ.items()})\n"


@pytest.fixture
def events(tmp_path: Path) -> Path:
    folder = tmp_path / "events"
    folder.mkdir()
    return folder


def interpreter(tmp_path: Path, options: str) -> str:
    """A Python that is started with other options."""
    path = tmp_path / "python"
    path.write_text(f'#!/bin/sh\nexec {sys.executable} {options} "$@"\n')
    path.chmod(0o755)
    return str(path)


def test_a_script_that_is_not_there(tmp_path: Path, events: Path) -> None:
    with pytest.raises(UserError, match=r"train\.py: no such file"):
        run(VerifyRequest("train.py", directory=tmp_path), events)


def test_an_interpreter_that_is_not_there(tmp_path: Path, events: Path) -> None:
    script = tmp_path / "train.py"
    script.touch()
    with pytest.raises(UserError, match="does not work as a Python interpreter"):
        run(VerifyRequest(script, python=str(tmp_path / "no-python")), events)


def test_an_interpreter_without_torch_xla_is_one_clear_line(tmp_path: Path, events: Path) -> None:
    script = tmp_path / "train.py"
    script.touch()
    with pytest.raises(UserError, match=r"pip install 'xlaport\[xla\]'") as caught:
        run(VerifyRequest(script, python=interpreter(tmp_path, "-S -E")), events)
    assert "\n" not in str(caught.value)


def test_the_environment_of_the_script(tmp_path: Path, events: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XLA_PERSISTENT_CACHE_PATH", "/somewhere")
    monkeypatch.setenv("XLA_FLAGS", "--xla_mine=1")
    monkeypatch.setenv("USERS_OWN", "kept")
    monkeypatch.delenv("PJRT_DEVICE", raising=False)
    script = tmp_path / "train.py"
    script.write_text(PRINT_ENVIRONMENT)
    seen = eval(run(VerifyRequest(script, steps=7), events).tail)
    assert seen["PJRT_DEVICE"] in ("CPU", "TPU")
    assert seen["XLA_METRICS_SAMPLES"] == "1"
    assert seen["XLA_FLAGS"].startswith("--xla_mine=1 --xla_dump_to=")
    assert (seen["USERS_OWN"], seen["XLAPORT_STEPS"]) == ("kept", "7")
    assert "XLA_PERSISTENT_CACHE_PATH" not in seen
    monkeypatch.setenv("PJRT_DEVICE", "MINE")
    monkeypatch.setenv("XLA_FLAGS", "--xla_dump_to=/mine")
    seen = eval(run(VerifyRequest(script), events).tail)
    assert (seen["PJRT_DEVICE"], seen["XLA_FLAGS"]) == ("MINE", "--xla_dump_to=/mine")


def test_arguments_folder_and_both_streams(tmp_path: Path, events: Path, capfd: pytest.CaptureFixture[str]) -> None:
    script = tmp_path / "train.py"
    script.write_text("import os, sys; print(sys.argv, os.getcwd()); print('warning', file=sys.stderr); sys.exit(3)\n")
    result = run(VerifyRequest("train.py", ("--lr", "0.1"), directory=tmp_path), events)
    assert (result.exit_code, result.signal, result.timed_out) == (3, None, False)
    assert f"['train.py', '--lr', '0.1'] {tmp_path}" in result.tail
    captured = capfd.readouterr()
    assert captured.out == ""
    assert "warning" in captured.err


def test_only_the_end_of_a_long_output_is_kept(tmp_path: Path, events: Path) -> None:
    script = tmp_path / "train.py"
    script.write_text("for i in range(50000): print('line', i)\n")
    tail = run(VerifyRequest(script), events).tail
    assert tail.endswith("line 49999\n")
    assert len(tail) <= 65536


def test_a_child_that_is_left_behind_does_not_hold_us_up(tmp_path: Path, events: Path) -> None:
    script = tmp_path / "train.py"
    script.write_text(
        "import subprocess, sys\nsubprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
    )
    result = run(VerifyRequest(script), events)
    assert result.exit_code == 0
    assert result.seconds < 30


def test_an_interrupt_ends_the_script_too(tmp_path: Path) -> None:
    script = tmp_path / "train.py"
    script.write_text("import os, time\nopen('pid', 'w').write(str(os.getpid()))\ntime.sleep(600)\n")
    # A shell's background job has its interrupts ignored, and so would all that these tests start there.
    heed = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    ours = subprocess.Popen(
        [sys.executable, "-c", f"{heed}; from xlaport.verify import *; verify(VerifyRequest('train.py'))"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        stderr=subprocess.DEVNULL,
    )
    deadline = time.monotonic() + 60
    pid = tmp_path / "pid"
    while not (pid.exists() and pid.read_text()) and time.monotonic() < deadline:
        time.sleep(0.05)
    ours.send_signal(signal.SIGINT)
    assert ours.wait(30) != 0
    process = Path("/proc", pid.read_text(), "stat")
    assert not process.exists() or process.read_text().rsplit(")", 1)[1].split()[0] == "Z"
