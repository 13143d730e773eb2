"""Optimizers that ask nothing any more (XP310) train as they did, by one graph."""

from __future__ import annotations

from typing import Any

import pytest

from tests.child import printed_by
from tests.host_reads.optimizers import NAMES, WARM_UP


@pytest.fixture(scope="module")
def results() -> dict[str, Any]:
    """The runs of each optimizer, by its name."""
    found: dict[str, Any] = printed_by("tests.host_reads.optimizers")
    return found


@pytest.mark.parametrize("name", NAMES)
def test_it_trains_the_same_weights(results: dict[str, Any], name: str) -> None:
    expected = pytest.approx(results[name]["cpu"]["weights"], rel=1e-4, abs=1e-6)
    assert results[name]["plain"]["weights"] == expected
    assert results[name]["converted"]["weights"] == expected


@pytest.mark.parametrize("name", NAMES)
def test_it_reads_nothing_and_compiles_once(results: dict[str, Any], name: str) -> None:
    assert all(fetched for _, fetched in results[name]["plain"]["steps"])
    assert results[name]["converted"]["steps"][WARM_UP:] == [[0, 0]] * (len(results[name]["cpu"]["steps"]) - WARM_UP)


def test_adafactor_reads_in_each_step(results: dict[str, Any]) -> None:
    assert all(fetched >= 4 for _, fetched in results["Adafactor"]["plain"]["steps"])
