"""Writes through masks do the same before and after the conversion, on the CPU and on XLA, and there in one graph."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.shapes import masks

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def results() -> dict[str, Any]:
    """What the writes do, by their names."""
    process = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "tests.shapes.masks"],
        cwd=ROOT,
        env={**os.environ, "PJRT_DEVICE": "CPU", "CUDA_VISIBLE_DEVICES": ""},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert process.returncode == 0, process.stderr[-3000:]
    found: dict[str, Any] = json.loads(process.stdout)
    return found


@pytest.mark.parametrize("name", masks.WRITES)
def test_it_is_rewritten_and_does_the_same(results: dict[str, Any], name: str) -> None:
    result = results[name]
    assert result["rewritten"]
    before, after = result["cpu"]
    assert after["steps"] == before["steps"]
    before, after = result["xla"]
    assert after["steps"] == before["steps"]
    assert not any(after["compiles"][masks.WARM_UP :]), "one graph for all steps"


def test_an_index_of_truth_values_compiles_for_each_count(results: dict[str, Any]) -> None:
    before, after = results["relu"]["xla"]
    assert sum(before["compiles"][masks.WARM_UP :]) >= 2
    assert sum(after["compiles"]) < sum(before["compiles"])
