"""A place that is looked up on the device gives what the host's gave, in the same type, by one graph."""

from __future__ import annotations

from typing import Any

import pytest

from tests.child import printed_by
from tests.shapes import lookups


@pytest.fixture(scope="module")
def results() -> dict[str, Any]:
    """What the scheduler does, by the type of the sample."""
    found: dict[str, Any] = printed_by("tests.shapes.lookups")
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
