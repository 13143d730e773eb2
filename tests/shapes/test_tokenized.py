"""Texts that a port pads further give the same masked loss and the same gradients, on the CPU and on XLA."""

from __future__ import annotations

from typing import Any

import pytest

from tests.child import printed_by
from tests.shapes import tokenized


@pytest.fixture(scope="module")
def results() -> dict[str, Any]:
    """What the program and its port compute, by the name of the batch."""
    found: dict[str, Any] = printed_by("tests.shapes.tokenized")
    return found


@pytest.mark.parametrize("name", tokenized.NAMES)
@pytest.mark.parametrize("device", ["cpu", "xla"])
def test_the_loss_and_its_gradient_stay(results: dict[str, Any], name: str, device: str) -> None:
    computed = results[name][device]
    assert len(computed) == 2 * len(tokenized.BATCHES)
    for before, after in zip(computed[::2], computed[1::2], strict=True):
        assert after == pytest.approx(before, rel=1e-4, abs=1e-5)


def test_batches_get_few_widths(results: dict[str, Any]) -> None:
    assert len({before for before, _ in results["short"]["widths"]}) == len(tokenized.BATCHES)
    assert {after for _, after in results["short"]["widths"]} == {35}
    assert {after for _, after in results["uncut"]["widths"]} == {64}
