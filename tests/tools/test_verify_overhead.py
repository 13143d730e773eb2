"""The benchmark of what verify's probe costs: what it computes, and that it runs its script both ways."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

import pytest

from benchmarks import verify_overhead
from benchmarks.step_time import WARM_UP
from tests.warm_python import with_torch_xla
from xlaport.verify import VerifyRequest

ENDS = [float(number) for number in range(WARM_UP + 3)]


def test_steps_are_timed_behind_the_warm_up_and_the_whole_by_the_clock() -> None:
    found = verify_overhead.times({"clock": ENDS, "thread": ENDS}, 99.0, "compiled\nloss 1.25\n")
    assert found.steps == {"clock": 2.0, "thread": 2.0}
    assert found.whole == {"clock": 99.0, "thread": ENDS[-1]}
    assert found.loss == "loss 1.25"
    with pytest.raises(ValueError, match="too few"):
        verify_overhead.times({"clock": ENDS[: WARM_UP + 1]}, 99.0, "")


def test_both_ways_do_the_same_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", with_torch_xla())
    monkeypatch.setattr(verify_overhead, "VerifyRequest", partial(VerifyRequest, python=with_torch_xla()))
    one, other = (way(tmp_path, WARM_UP + 2) for way in (verify_overhead.plain, verify_overhead.probed))
    assert one.loss == other.loss != ""
    assert set(one.steps) == set(other.steps) == set(verify_overhead.MEASURES)
    assert min(*one.steps.values(), *other.steps.values()) > 0
