"""The loop that takes the place of torch_xla's scan(), and the layers of scan_layers(), give what these give."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.child import printed_by
from tests.successor.scans import CASES


@pytest.fixture(scope="module")
def results() -> dict[str, Any]:
    """What torch_xla gives and what ours does."""
    found: dict[str, Any] = printed_by("tests.successor.scans")
    return found


def is_close(one: list[float] | None, other: list[float] | None) -> bool:
    return one == other if one is None or other is None else one == pytest.approx(other, rel=1e-5, abs=1e-6)


@pytest.mark.parametrize("name", CASES)
def test_results_and_gradients_are_those_of_torch_xla(results: dict[str, Any], name: str) -> None:
    of_xla, ours = results["scans"][name]["torch_xla"], results["scans"][name]["ours"]
    assert ours["tree"] == of_xla["tree"]
    for what in ("numbers", "gradients"):
        assert all(is_close(one, other) for one, other in zip(ours[what], of_xla[what], strict=True))
    assert any(of_xla["gradients"])


def test_what_is_written_into_stays_as_it_was(results: dict[str, Any]) -> None:
    expected = [[0.0], [6.0], [1.0, 3.0, 6.0]]
    assert results["written"] == {"torch_xla": expected, "ours": expected}


@pytest.mark.parametrize("kind", ["torch_xla", "ours"])
def test_different_numbers_of_rows_raise_as_with_torch_xla(results: dict[str, Any], kind: str) -> None:
    assert re.search(r"leading dimension|shorter|longer", results["refused"][kind])


def test_layers_are_called_as_torch_xla_calls_them(results: dict[str, Any]) -> None:
    assert len(results["layers"]) == 3
    assert all(is_close(each["torch_xla"], each["ours"]) for each in results["layers"])
    assert results["no layers"] == [True, True]
