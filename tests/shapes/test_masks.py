"""Writes through masks do the same before and after the conversion, on the CPU and on XLA, and there in one graph."""

from __future__ import annotations

from typing import Any

import pytest

from tests.child import printed_by
from tests.shapes import masks


@pytest.fixture(scope="module")
def results() -> dict[str, Any]:
    """What the writes do, by their names."""
    found: dict[str, Any] = printed_by("tests.shapes.masks")
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
