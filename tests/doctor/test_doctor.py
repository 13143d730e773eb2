"""The doctor as a user calls it: on XLA:CPU, and where something is missing, hangs or aborts."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.warm_python import with_xlaport
from xlaport.doctor import examine
from xlaport.doctor.trial import try_first_graph

OURS = ("XLA_", "XRT_", "PJRT_", "PT_XLA_", "TPU_", "LIBTPU_", "TF_CPP_", "CPU_NUM", "PTXLA_")


def doctor(*options: str, **environment: str) -> tuple[dict[str, Any], int]:
    """The report and the exit code, with none of the tests' own variables."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(OURS)}
    run = subprocess.run(
        [with_xlaport(), "-m", "xlaport", "doctor", "--output-format", "json", *options],
        env={**kept, **environment},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert run.stderr == ""
    return json.loads(run.stdout), run.returncode


def checks(report: dict[str, Any]) -> dict[str, str]:
    return {check["name"]: check["status"] for check in report["checks"]}


def message(report: dict[str, Any], name: str) -> str:
    (check,) = [check for check in report["checks"] if check["name"] == name]
    return " ".join([check["message"], check["advice"], check["command"]])


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    """A Python that has nothing."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(tmp_path / "bare")], check=True)
    return tmp_path / "bare" / "bin" / "python"


def pretend(folder: Path, torch: str, version: str = "2.9.0") -> dict[str, str]:
    """Packages that say they are torch and torch_xla; the first one does this when it is imported."""
    for name, number in (("torch", version), ("torch_xla", "2.9.0")):
        metadata = folder / f"{name}-{number}.dist-info" / "METADATA"
        metadata.parent.mkdir(parents=True)
        metadata.write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {number}\n")
        (folder / f"{name}.py").write_text(torch)
    return {"PYTHONPATH": str(folder)}


def test_this_machine_is_fit() -> None:
    report, code = doctor(PJRT_DEVICE="CPU", XRT_TPU_CONFIG="localservice;0;localhost:51011")
    assert code == 0
    assert report["fit"] is True
    assert set(checks(report).values()) == {"ok"}
    assert "a first graph runs on XLA:CPU (1 device)" in message(report, "graph")
    assert "torch 2.9.0" in message(report, "pair")
    assert [(item["name"], item["state"]) for item in report["variables"]] == [
        ("PJRT_DEVICE", "works"),
        ("XRT_TPU_CONFIG", "ignored"),
    ]


def test_bfloat16_behind_the_programs_back_shows_in_the_result() -> None:
    """XLA_USE_BF16 still works in torch_xla 2.9."""
    report, code = doctor(PJRT_DEVICE="CPU", XLA_USE_BF16="1")
    assert code == 1
    assert "its result is off" in message(report, "graph")
    assert "unset XLA_USE_BF16" in message(report, "graph")


def test_a_flag_that_xla_does_not_know_aborts_and_is_named() -> None:
    report, code = doctor(PJRT_DEVICE="CPU", XLA_FLAGS="--xla_no_such_flag=1")
    assert code == 1
    assert "SIGABRT" in message(report, "graph")
    assert "mend XLA_FLAGS (--xla_no_such_flag=1)" in message(report, "graph")


def test_a_tpu_that_is_not_here() -> None:
    report, code = doctor(PJRT_DEVICE="TPU")
    assert code == 1
    assert (checks(report)["device"], checks(report)["graph"], checks(report)["cpu"]) == ("mend", "mend", "ok")
    assert "set PJRT_DEVICE=CPU" in message(report, "graph")


def test_where_torch_is_missing_that_is_what_is_said(bare: Path) -> None:
    report, code = doctor("--python", str(bare))
    assert code == 1
    assert checks(report)["pair"] == "mend"
    assert "torch and torch_xla cannot be found" in message(report, "pair")
    assert f"{bare} -m pip install torch==2.9.0 torch_xla==2.9.0" in message(report, "pair")
    assert "graph" not in checks(report)


@pytest.mark.parametrize(
    ("torch", "words"),
    [
        ("import time; time.sleep(600)", "while torch was imported"),
        ("import os; os.abort()", "SIGABRT ended it while torch was imported"),
        ("raise ImportError('undefined symbol: _Z3foo')", "ImportError: undefined symbol: _Z3foo"),
        ("import os; os._exit(7)", "it ended without a word"),
        ("import sys; sys.stdout.buffer.write(bytes(range(256)) * 9); sys.exit(1)", "did not run"),
    ],
)
def test_a_package_that_hangs_or_breaks_is_told(bare: Path, tmp_path: Path, torch: str, words: str) -> None:
    hangs = "sleep" in torch
    limit = "2" if hangs else "100"
    report, code = doctor("--python", str(bare), "--timeout", limit, **pretend(tmp_path / "fakes", torch))
    assert code == 1
    assert words in message(report, "graph")
    assert ("nothing came back within" in message(report, "graph")) == hangs


def test_a_pair_that_does_not_fit_is_told_with_the_command(bare: Path, tmp_path: Path) -> None:
    report, _ = doctor("--python", str(bare), **pretend(tmp_path / "fakes", "raise ImportError('x')", "2.10.0"))
    assert "torch 2.10.0 and torch_xla 2.9.0 do not fit" in message(report, "pair")
    assert message(report, "pair").endswith(f"{bare} -m pip install torch==2.9.0")


def test_a_child_that_is_left_behind_is_ended(bare: Path, tmp_path: Path) -> None:
    leave_behind = f"""\
import os, subprocess, sys
sleep = [sys.executable, "-c", "import time; time.sleep(600)"]
process = subprocess.Popen(sleep, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
open({str(tmp_path / "pid")!r}, "w").write(str(process.pid))
os._exit(7)
"""
    environment = {"PATH": os.environ["PATH"], **pretend(tmp_path / "fakes", leave_behind)}
    assert not try_first_graph(str(bare), 100.0, environment).timed_out
    status = Path("/proc", (tmp_path / "pid").read_text(), "stat")
    deadline = time.monotonic() + 60
    while _runs(status) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not _runs(status)


def _runs(status: Path) -> bool:
    """Whether a process is there and no zombie: ``/proc/PID/stat``."""
    try:
        return status.read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def test_the_text_says_it_first_and_keeps_commands_whole(bare: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-m", "xlaport", "doctor", "--python", str(bare)],
        env={**os.environ, "XRT_TPU_CONFIG": "x"},
        capture_output=True,
        text=True,
        check=False,
    )
    lines = run.stdout.splitlines()
    assert lines[0] == "Not yet fit for torch_xla: 1 to mend."
    assert f"        -> {bare} -m pip install torch==2.9.0 torch_xla==2.9.0" in lines
    assert "        -> unset XRT_TPU_CONFIG" in lines


@pytest.mark.parametrize("python", ["no-such-python", "/bin/ls"])
def test_a_python_that_is_none_is_one_line(python: str) -> None:
    run = subprocess.run(
        [sys.executable, "-m", "xlaport", "doctor", "--python", python], capture_output=True, text=True, check=False
    )
    assert run.returncode == 2
    assert run.stdout == ""
    assert run.stderr.count("\n") == 1
    assert python in run.stderr


def test_the_diagnosis_is_of_the_environment_that_it_is_given(bare: Path) -> None:
    diagnosis = examine(str(bare), 5.0, {"PJRT_DEVICE": "CUDA"})
    assert diagnosis.exit_code == 1
    assert [variable.name for variable in diagnosis.variables] == ["PJRT_DEVICE"]
