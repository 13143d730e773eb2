"""What is said of a device and of a first graph: from what was printed, without a device."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from xlaport.doctor import Status
from xlaport.doctor.device import check_cpu, check_device, check_graph
from xlaport.doctor.installed import Installed
from xlaport.doctor.trial import Outcome, read_outcome
from xlaport.verify.chips import tpu_chips

INSTALLED = Installed("python", (3, 11, 7), "linux", "x86_64", {"torch": "2.9.0+cpu", "torch_xla": "2.9.0"}, {})


def printed(stage: str, *lines: str, **facts: object) -> str:
    return "\n".join(["", "xlaport-doctor:" + json.dumps({"stage": stage, **facts}), *lines, ""])


def test_chips_are_counted_on_the_bus(tmp_path: Path) -> None:
    for number, (vendor, device) in enumerate([("0x1ae0", "0x0063"), ("0x1ae0", "0x0001"), ("0x10de", "0x0063")]):
        slot = tmp_path / f"0000:00:{number:02}.0"
        slot.mkdir()
        (slot / "vendor").write_text(vendor + "\n")
        (slot / "device").write_text(device + "\n")
    assert tpu_chips(tmp_path) == 1
    assert tpu_chips(tmp_path / "there is no such bus") == 0


@pytest.mark.parametrize(
    ("chips", "environment", "status", "words"),
    [
        (0, {}, Status.OK, "torch_xla chooses the CPU"),
        (
            4,
            {},
            Status.OK,
            "4 TPU chips on this machine's PCI bus; PJRT_DEVICE is not set, so torch_xla chooses the TPU",
        ),
        (1, {"PJRT_DEVICE": "TPU"}, Status.OK, "1 TPU chip on"),
        (0, {"PJRT_DEVICE": "CPU"}, Status.OK, "PJRT_DEVICE is CPU"),
        (4, {"PJRT_DEVICE": "CPU"}, Status.NOTE, "programs do not use the TPU"),
        (0, {"PJRT_DEVICE": "TPU"}, Status.MEND, "a TPU that is not here"),
        (0, {"PJRT_DEVICE": "CUDA"}, Status.MEND, "no such device"),
    ],
)
def test_what_there_is_and_what_is_chosen(chips: int, environment: dict[str, str], status: Status, words: str) -> None:
    check = check_device(chips, environment)
    assert check.status is status
    assert words in check.message
    assert bool(check.advice) == (status is not Status.OK)


def test_a_first_graph_that_runs() -> None:
    output = printed("graph", kind="TPU", count=4) + printed("done", seconds=1.25, difference=0.0)
    outcome = read_outcome(output, 0, False, 9.0)
    check = check_graph(outcome, INSTALLED, 4, {})
    assert check.status is Status.OK
    assert "on the TPU (4 devices)" in check.message
    assert check_cpu(outcome).status is Status.OK


def test_a_wrong_result_is_not_well() -> None:
    outcome = read_outcome(printed("done", kind="CPU", count=1, seconds=0.1, difference=1.0), 0, False, 9.0)
    assert check_graph(outcome, INSTALLED, 0, {}).status is Status.MEND
    assert "unset XLA_USE_BF16" in check_graph(outcome, INSTALLED, 0, {"XLA_USE_BF16": "1"}).advice
    assert check_cpu(outcome).status is Status.NOTE


NO_LIBTPU = """\
Traceback (most recent call last):
  File "<string>", line 46, in <module>
OSError: libtpu not found
"""
NO_PLUGIN = NO_LIBTPU.replace("OSError: libtpu not found", "RuntimeError: No PjRtPlugin registered for: FOO. Make sure")
BAD_FLAG = "F external/xla/xla/parse_flags_from_env.cc:234] Unknown flag in XLA_FLAGS: --xla_nonsense=1"
IN_USE = "RuntimeError: The TPU is already in use by process with pid 42."
SYMBOL = NO_LIBTPU.replace("OSError: libtpu not found", "ImportError: _XLAC.so: undefined symbol: _ZN5torch")
METADATA = "Failed to get TPU metadata (tpu-env) from instance metadata for variable HOST_BOUNDS"


@pytest.mark.parametrize(
    ("stage", "output", "code", "timed_out", "chips", "environment", "message", "what"),
    [
        ("device", NO_LIBTPU, 1, False, 4, {}, "OSError: libtpu not found", "pip install 'torch_xla[tpu]==2.9.0'"),
        ("device", NO_LIBTPU, 1, False, 0, {"PJRT_DEVICE": "TPU"}, "libtpu not found", "set PJRT_DEVICE=CPU"),
        ("device", NO_PLUGIN, 1, False, 0, {"PJRT_DEVICE": "FOO"}, "No PjRtPlugin", "set TPU or CPU"),
        ("device", BAD_FLAG, -6, False, 0, {"XLA_FLAGS": "--xla_nonsense=1"}, "SIGABRT", "mend XLA_FLAGS (--xla_non"),
        ("device", IN_USE, 1, False, 4, {}, "already in use", "end it, or wait for it"),
        ("device", METADATA, -9, True, 0, {"PJRT_DEVICE": "TPU"}, "nothing came back within 30 s", "there is no TPU"),
        ("device", "", -9, True, 4, {}, "nothing came back within 30 s when the runtime", "--worker=all"),
        ("graph", "", -9, True, 0, {}, "while the graph was compiled", "--timeout"),
        ("graph", "", -11, False, 0, {}, "SIGSEGV", "see what it prints"),
        ("torch_xla", SYMBOL, 1, False, 0, {}, "undefined symbol", "have to fit"),
        ("torch_xla", METADATA, -9, True, 4, {}, "while torch_xla was imported", "TPU_SKIP_MDS_QUERY"),
        ("torch", SYMBOL, 1, False, 0, {}, "while torch was imported", "--force-reinstall torch==2.9.0"),
        ("device", "", 3, False, 0, {}, "it ended without a word", "see what it prints"),
    ],
)
def test_a_first_graph_that_does_not_run_comes_with_what_to_do(
    stage: str,
    output: str,
    code: int,
    timed_out: bool,
    chips: int,
    environment: dict[str, str],
    message: str,
    what: str,
) -> None:
    outcome = read_outcome(printed(stage, output), code, timed_out, 30.0)
    assert outcome.stage == stage
    check = check_graph(outcome, INSTALLED, chips, environment)
    assert check.status is Status.MEND
    assert message in check.message
    assert what in check.advice + check.command
    assert "\n" not in check.message


def test_a_mark_behind_what_the_runtime_prints_is_read() -> None:
    outcome = read_outcome('XLA_USE_BF16 will goxlaport-doctor:{"stage": "done", "difference": 0}\n', 0, False, 1.0)
    assert outcome.stage == "done"
    assert read_outcome("xlaport-doctor:{torn", -9, False, 1.0) == Outcome(
        "torch", ended=9, seconds=1.0, output="xlaport-doctor:{torn"
    )
