"""A place that is looked up on the device gives what the host's gave, in the same type, by one graph."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.shapes import lookups

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def results() -> dict[str, Any]:
    """What the scheduler does, by the type of the sample."""
    process = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "tests.shapes.lookups"],
        cwd=ROOT,
        env={**os.environ, "PJRT_DEVICE": "CPU", "CUDA_VISIBLE_DEVICES": ""},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert process.returncode == 0, process.stderr[-3000:]
    found: dict[str, Any] = json.loads(process.stdout)
    return found


@pytest.mark.parametrize("dtype", ["torch.float32", "torch.bfloat16", "torch.float64"])
def test_it_does_the_same(results: dict[str, Any], dtype: str) -> None:
    result = results[dtype]
    assert result["rewritten"]
    before, after = result["cpu"]
    assert after["steps"] == before["steps"]
    before, after = result["xla"]
    assert after["steps"] == before["steps"]


def test_it_is_one_graph_for_all_places(results: dict[str, Any]) -> None:
    before, after = results["torch.float32"]["xla"]
    assert all(before["compiles"])
    assert not any(after["compiles"][lookups.WARM_UP :])
