"""How a script is started and ended, without torch."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from xlaport.errors import UserError
from xlaport.verify import VerifyRequest, launch
from xlaport.verify.events import Halted, Site
from xlaport.verify.failure import failure
from xlaport.verify.launch import events_folder, run

PRINT_ENVIRONMENT = "import os; print({k: v for k, v in os.environ.items()})\n"


@pytest.fixture
def events(tmp_path: Path) -> Path:
    folder = tmp_path / "events"
    folder.mkdir()
    return folder


def interpreter(tmp_path: Path, options: str) -> str:
    """A Python that is started with other options."""
    path = tmp_path / "python"
    path.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} {options} "$@"\n')
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


def test_runs_side_by_side_meet_at_ports_of_their_own(
    tmp_path: Path, events: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a TPU, where other hosts have to know it, it stays torch_xla's."""
    script = tmp_path / "train.py"
    script.write_text('import os; print(os.environ.get("MASTER_PORT"))\n')
    monkeypatch.setenv("PJRT_DEVICE", "CPU")
    monkeypatch.delenv("MASTER_PORT")
    free = {run(VerifyRequest(script), events).tail for _ in range(2)}
    monkeypatch.setenv("PJRT_DEVICE", "TPU")
    of_a_tpu = run(VerifyRequest(script), events).tail
    monkeypatch.setenv("MASTER_PORT", "29500")
    monkeypatch.setenv("PJRT_DEVICE", "CPU")
    assert run(VerifyRequest(script), events).tail == "29500\n"
    assert of_a_tpu == "None\n"
    assert len(free) == 2
    assert all(port.strip().isdigit() for port in free)


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


def test_a_character_that_is_read_in_two_parts_stays_whole(
    tmp_path: Path, events: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    script = tmp_path / "train.py"
    script.write_text(
        "import os, time\nfor byte in 'é█'.encode():\n    os.write(1, bytes([byte]))\n    time.sleep(0.05)\n"
    )
    run(VerifyRequest(script), events)
    assert capfd.readouterr().err == "é█"


def test_a_child_that_is_left_behind_does_not_hold_us_up(tmp_path: Path, events: Path) -> None:
    script = tmp_path / "train.py"
    script.write_text(
        "import subprocess, sys\nsubprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
    )
    result = run(VerifyRequest(script), events)
    assert result.exit_code == 0
    assert result.seconds < 30


@pytest.mark.parametrize("environment", ["os.environ", "{}"])
def test_a_daemon_that_is_left_behind_is_ended(environment: str, tmp_path: Path, events: Path) -> None:
    # Out of the session, its parents gone, and, in one case, without the environment to know it by.
    script = tmp_path / "train.py"
    script.write_text(
        "import os, sys\n"
        "if not os.fork():\n"
        "    os.setsid()\n"
        "    if not os.fork():\n"
        "        print(os.getpid(), flush=True)\n"
        f"        os.execve(sys.executable, [sys.executable, '-c', 'import time; time.sleep(600)'], {environment})\n"
        "    os._exit(0)\n"
        "os.wait()\n"
        "import time; time.sleep(0.5)\n"
    )
    result = run(VerifyRequest(script), events)
    assert (result.exit_code, result.timed_out) == (0, False)
    assert not is_running(int(result.tail))


HUNG = {
    "a call that keeps the interpreter": ("import ctypes\ndef f():\n    ctypes.PyDLL(None).sleep(600)\nf()", 3, "f"),
    "waits for what it has forked": ("import os, time\nif os.fork():\n    os.wait()\ntime.sleep(600)", 3, "<module>"),
    "in a library": ("import queue\nqueue.Queue().get()", 2, "<module>"),
}


@pytest.mark.parametrize(("text", "line", "function"), HUNG.values(), ids=HUNG)
def test_where_a_script_hangs(text: str, line: int, function: str, tmp_path: Path, events: Path) -> None:
    script = tmp_path / "train.py"
    script.write_text(text)
    result = run(VerifyRequest(script, timeout=1.5), events)
    assert (result.timed_out, result.signal) == (True, signal.SIGTERM)
    assert result.seconds < 5
    places = [event.site for trace in result.traces for event in trace.events if isinstance(event, Halted)]
    assert Site(str(script), line, function) in places


def test_threads_that_outlive_the_main_program_are_told_from_it(tmp_path: Path, events: Path) -> None:
    script = tmp_path / "train.py"
    script.write_text(
        "import threading, time\ndef work():\n    while True:\n        time.sleep(0.1)\n"
        "threading.Thread(target=work).start()\n"
    )
    result = run(VerifyRequest(script, timeout=1.5), events)
    (halted,) = result.traces[0].events
    assert halted == Halted(Site(str(script), 4, "work"), over=True)
    finding = failure(result)
    assert finding is not None
    assert "a thread was still running" in finding.reason


def test_a_crash_is_told_with_its_line_and_how_much_memory_was_used(tmp_path: Path, events: Path) -> None:
    script = tmp_path / "train.py"
    script.write_text("import ctypes\nx = bytearray(100_000_000)\nctypes.string_at(0)\n")
    result = run(VerifyRequest(script), events)
    assert result.signal == signal.SIGSEGV
    assert result.traces[0].events == (Halted(Site(str(script), 3, "<module>"), fatal="Segmentation fault"),)
    assert 1e8 < result.peak < 1e9


def test_a_script_with_a_fault_handler_of_its_own(tmp_path: Path, events: Path) -> None:
    script = tmp_path / "train.py"
    script.write_text("import ctypes, faulthandler\nfaulthandler.enable()\nctypes.string_at(0)\n")
    result = run(VerifyRequest(script), events)
    assert "Fatal Python error" in result.tail
    (halted,) = result.traces[0].events
    assert isinstance(halted, Halted)
    assert halted.site == Site(str(script), 3, "<module>")


def test_a_python_that_ignores_the_probe_is_said_to_do_so(tmp_path: Path, events: Path) -> None:
    script = tmp_path / "train.py"
    script.touch()
    finding = failure(run(VerifyRequest(script, python=interpreter(tmp_path, "-I")), events))
    assert finding is not None
    assert "without xlaport's probe" in finding.reason


def test_events_are_kept_in_memory_where_there_is_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """XLA writes a thousand files for each graph beside the one that is read."""
    monkeypatch.setattr("tempfile.tempdir", None)
    monkeypatch.delenv("TMPDIR", raising=False)
    memory, disk = tmp_path / "memory", tmp_path / "disk"
    memory.mkdir()
    disk.mkdir()

    def parent() -> Path:
        with events_folder() as folder:
            return folder.parent

    monkeypatch.setattr(launch, "_MEMORY", memory)
    monkeypatch.setattr(launch, "_ROOM", 1)
    assert parent() == memory
    monkeypatch.setattr(launch, "_ROOM", 2**60)  # workers of a DataLoader need it
    assert parent() not in (memory, disk)
    monkeypatch.setattr(launch, "_ROOM", 1)
    monkeypatch.setattr(launch, "_MEMORY", tmp_path / "none")
    assert parent() not in (memory, disk)
    monkeypatch.setattr(launch, "_MEMORY", memory)
    monkeypatch.setattr("tempfile.tempdir", None)
    monkeypatch.setenv("TMPDIR", str(disk))
    assert parent() == disk


def test_a_temporary_folder_that_cannot_be_made_is_one_clear_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", "/proc/nowhere")
    monkeypatch.setattr("tempfile.tempdir", "/proc/nowhere")
    with pytest.raises(UserError, match="no temporary folder can be made: No such file"), events_folder():
        pass


def test_a_supervisor_that_is_killed_takes_the_script_along(tmp_path: Path, events: Path) -> None:
    script = tmp_path / "train.py"
    script.write_text("import os, time\nprint(os.getpid(), flush=True)\nos.kill(os.getppid(), 9)\ntime.sleep(600)\n")
    result = run(VerifyRequest(script), events)
    assert result.signal == signal.SIGKILL
    wait_until(lambda: not is_running(int(result.tail)))


def is_running(pid: int) -> bool:
    process = Path("/proc", str(pid), "stat")
    return process.exists() and process.read_text().rsplit(")", 1)[1].split()[0] != "Z"


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 130), (signal.SIGKILL, -9)], ids=["INT", "TERM", "KILL"]
)
def test_when_xlaport_is_ended_so_is_the_script(number: int, code: int, tmp_path: Path) -> None:
    (tmp_path / "temporary").mkdir()
    script = tmp_path / "train.py"
    script.write_text("import os, time\nopen('pid', 'w').write(str(os.getpid()))\ntime.sleep(600)\n")
    ours = subprocess.Popen(
        [sys.executable, "-m", "xlaport", "verify", "train.py"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "TMPDIR": str(tmp_path / "temporary")},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        # A shell's background job has its interrupts ignored, and so would all that these tests start there.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    pid = tmp_path / "pid"
    wait_until(lambda: pid.exists() and bool(pid.read_text()))
    ours.send_signal(number)
    said, _ = ours.communicate(timeout=30)
    assert ours.returncode == code
    assert said.startswith("ERROR: Interrupted after") == (code == 130)
    wait_until(lambda: not is_running(int(pid.read_text())) and not list((tmp_path / "temporary").iterdir()))


def wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)
