"""Packed sequences on XLA: what XP421 says of them, and that what it recommends does the same."""

from __future__ import annotations

from typing import Any

import pytest

from tests.child import printed_by
from tests.shapes import packed


@pytest.fixture(scope="module")
def results() -> dict[str, Any]:
    """What the layers do."""
    found: dict[str, Any] = printed_by("tests.shapes.packed")
    return found


@pytest.mark.parametrize(
    ("layer", "error"), [("LSTM", "RuntimeError"), ("GRU", "AssertionError"), ("RNN", "RuntimeError")]
)
def test_a_packed_sequence_raises(results: dict[str, Any], layer: str, error: str) -> None:
    assert results[layer]["raised"] == error


@pytest.mark.parametrize("layer", packed.LAYERS)
def test_over_the_padded_batch_it_is_the_same_in_one_graph(results: dict[str, Any], layer: str) -> None:
    assert results[layer]["far"] < 1e-5
    assert results[layer]["graphs"][1:] == [0] * (len(packed.LENGTHS) - 1)
