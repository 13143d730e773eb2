"""The rates of a helper are those of torch_xla, whose clock is the same."""

from __future__ import annotations

import itertools
import time
from typing import Any

import pytest
import torch_xla.core.xla_model as xm

from rules._lib.shapes.helpers import helpers


@pytest.mark.parametrize("given", [{}, {"smooth_factor": 0.1}])
def test_rates_are_those_of_torch_xla(monkeypatch: pytest.MonkeyPatch, given: dict[str, float]) -> None:
    made: dict[str, Any] = {"time": time}
    exec(helpers()["RateTracker"], made)
    seen = []
    for kind in (made["RateTracker"], xm.RateTracker):
        ticks = itertools.accumulate(itertools.cycle([0.5, 2.0, 1.0]))
        monkeypatch.setattr(time, "time", lambda ticks=ticks: next(ticks))
        tracker, rates = kind(**given), []
        for count in (8, 4, 16):
            tracker.add(count)
            rates += [tracker.rate(), tracker.global_rate()]
        seen.append(rates)
    assert seen[0] == pytest.approx(seen[1])
