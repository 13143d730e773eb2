"""What is computed of selections gives the same before and after the conversion, on the CPU and on XLA."""

from __future__ import annotations

import math
from typing import Any

import pytest

from tests.child import printed_by
from tests.shapes import masked_values

_NARROW = {"torch.float16": 2e-2, "torch.bfloat16": 1e-1}


@pytest.fixture(scope="module")
def results() -> dict[str, Any]:
    """What the computations give, by their names."""
    found: dict[str, Any] = printed_by("tests.shapes.masked_values")
    return found


@pytest.mark.parametrize("name", masked_values.VALUES)
def test_it_is_rewritten_and_gives_the_same(results: dict[str, Any], name: str) -> None:
    result = results[name]
    assert result["rewritten"], result["after"]
    for device in ("cpu", "xla"):
        before, after = result[device]
        for one, other in zip(before["steps"], after["steps"], strict=True):
            assert one[0] == other[0], "the type"
            assert _are_close(one[1:], other[1:], _NARROW.get(one[0], 2e-5)), (one, other)
    assert not any(result["xla"][1]["compiles"][masked_values.WARM_UP :]), "one graph for all steps"


def test_a_selection_compiles_for_each_count(results: dict[str, Any]) -> None:
    before, after = results["mean"]["xla"]
    assert sum(before["compiles"][masked_values.WARM_UP :]) >= 2
    assert sum(after["compiles"]) < sum(before["compiles"])


def _are_close(one: Any, other: Any, tolerance: float) -> bool:
    if isinstance(one, list):
        return len(one) == len(other) and all(_are_close(a, b, tolerance) for a, b in zip(one, other, strict=True))
    if math.isnan(one) or math.isnan(other):
        return math.isnan(one) and math.isnan(other)
    return math.isclose(one, other, rel_tol=tolerance, abs_tol=tolerance)
