"""A TPU that is played on the CPU computes what the CPU does, through compiled graphs, threads and backward passes."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from xlaport.verify import VerifyRequest
from xlaport.verify.events import Point
from xlaport.verify.launch import Run, events_folder, run
from xlaport.verify.request import TORCH_TPU

SCRIPT = Path(__file__).with_name("trains.py")


def _run(python: str, *arguments: str) -> Run:
    with events_folder() as events:
        return run(VerifyRequest(SCRIPT, ("tpu", *arguments), timeout=200, python=python, target=TORCH_TPU), events)


def _losses(printed: str) -> list[float]:
    return [float(loss) for loss in re.findall(r"^loss (\S+)$", printed, re.MULTILINE)]


@pytest.mark.parametrize("arguments", [(), ("compiled",)], ids=["eager", "compiled"])
def test_it_trains_as_the_cpu_does(python: str, arguments: tuple[str, ...]) -> None:
    on_cpu = subprocess.run([sys.executable, SCRIPT, "cpu"], capture_output=True, text=True, timeout=120, check=True)
    played = _run(python, *arguments)
    assert (played.exit_code, played.timed_out) == (0, False)
    wanted = _losses(on_cpu.stdout)
    assert len(wanted) == 12
    assert _losses(played.tail) == pytest.approx(wanted, abs=2e-5)
    assert "memory True" in played.tail
    assert "unique 2" in played.tail


def test_a_read_in_a_thread_is_that_threads(python: str) -> None:
    """The main thread's own reads are told apart from it."""
    (trace,) = _run(python).traces
    reads = [event for event in trace.events if isinstance(event, Point) and event.added.transfers]
    assert {event.thread != 0 for event in reads} == {True, False}


def _numbers(file: Path) -> dict[str, list[float]]:
    """What each line of `scans.py` shows, by the words before its numbers."""
    lines = [line.partition(" torch.") for line in file.read_text(encoding="utf-8").splitlines()]
    return {name: [float(word) for word in f"torch.{rest}".split() if "torch." not in word] for name, _, rest in lines}


def test_what_the_plugin_cannot_read_is_computed_another_way(python: str, tmp_path: Path) -> None:
    """Cumulative operators and bags of embeddings give what the CPU gives, and so do their gradients."""
    script, on_cpu, on_tpu = SCRIPT.with_name("scans.py"), tmp_path / "cpu", tmp_path / "tpu"
    subprocess.run([sys.executable, script, "cpu", on_cpu], timeout=120, check=True)
    request = VerifyRequest(script, ("tpu", str(on_tpu)), timeout=300, steps=0, python=python, target=TORCH_TPU)
    with events_folder() as events:
        played = run(request, events)
    assert (played.exit_code, played.timed_out) == (0, False), played.tail
    wanted, found = _numbers(on_cpu), _numbers(on_tpu)
    assert len(wanted) == 48
    for name, numbers in wanted.items():
        tolerance = 0.03 if name in ("bfloat16", "halves") else 2e-3
        assert found[name] == pytest.approx(numbers, rel=tolerance, abs=tolerance, nan_ok=True), name
