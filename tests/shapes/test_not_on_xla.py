"""The table of what XLA does not have, and activation checkpointing, on the installed torch_xla."""

from __future__ import annotations

from typing import Any

import pytest

from rules._lib.shapes.missing import RAISES, entry, missing
from tests.child import printed_by
from tests.shapes.absent import COMPLEX, DETERMINANTS


@pytest.fixture(scope="module")
def results() -> dict[str, Any]:
    """What the entries give on the CPU and on XLA."""
    found: dict[str, Any] = printed_by("tests.shapes.absent")
    return found


@pytest.mark.parametrize("index", range(len(missing())), ids=[e.name for e in missing()])
def test_the_entry_is_true(results: dict[str, Any], index: int) -> None:
    row = missing()[index]
    cpu, (what, value) = results["entries"][index]
    if row.outcome == RAISES:
        assert what == "raises"
        assert row.error in value
    else:
        assert what == "gives"
        assert [what, value] != cpu


@pytest.mark.parametrize("name", COMPLEX)
def test_the_magnitude_of_complex_numbers(results: dict[str, Any], name: str) -> None:
    found = results["complex"][name]
    assert found["cpu"][:2] == ["gives", "torch.float32"]
    assert found["abs"][0] == "raises"
    assert "complex dtype" in found["abs"][1]
    assert found["parts"] == [found["cpu"], found["cpu"]]


@pytest.mark.parametrize("name", DETERMINANTS)
def test_a_determinant_with_a_gradient(results: dict[str, Any], name: str) -> None:
    own, helped = results["determinants"][name]
    for wanted, found in zip(own, helped, strict=True):
        assert found == pytest.approx(wanted, rel=1e-3, abs=1e-3)


def test_every_helper_is_compared() -> None:
    assert {entry.helper for entry in missing() if entry.helper} == set(DETERMINANTS)


def test_activation_checkpointing(results: dict[str, Any]) -> None:
    found = results["checkpoints"]
    assert found["cpu"][0] == "gives"
    assert all(what == "raises" and "xla" in error for what, error in found["stock"])
    assert found["own"] == [found["cpu"], found["cpu"]]
    assert all(what == "raises" for what, _ in found["refused"])


@pytest.mark.parametrize("change", [{"outcome": "raises"}, {"more": "x"}, {"outcome": "?"}])
def test_an_entry_that_means_nothing_is_refused(change: dict[str, str]) -> None:
    right = {"method": "m", "code": "x", "outcome": "differs", "why": "w", "recipe": "r"}
    assert entry(right).name == "m"
    with pytest.raises(ValueError, match="m:"):
        entry(right | change)
