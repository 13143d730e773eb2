"""What XLA makes of writes into tensors that share memory, and that the rules speak of those that it makes wrong."""

from __future__ import annotations

from typing import Any

import pytest

from tests.child import printed_by
from tests.shapes.memory import ROWS, SAME, SILENT, converted

RAISES = ["RuntimeError"]


@pytest.fixture(scope="module")
def results() -> dict[tuple[str, str], Any]:
    """What each write leaves: on the CPU, on XLA, and on XLA after the conversion."""
    return dict(zip(ROWS, printed_by("tests.shapes.memory"), strict=True))


@pytest.mark.parametrize("row", ROWS, ids=" ".join)
def test_what_xla_does(results: dict[tuple[str, str], Any], row: tuple[str, str]) -> None:
    cpu, xla, _ = results[row]
    if ROWS[row] == SAME:
        assert xla == cpu
    else:
        assert (cpu == RAISES) == (ROWS[row] == SILENT)
        assert xla not in (cpu, RAISES)


@pytest.mark.parametrize("row", ROWS, ids=" ".join)
def test_what_is_wrong_is_found_and_nothing_else(row: tuple[str, str]) -> None:
    assert bool(converted(*row).findings) == (ROWS[row] != SAME)


@pytest.mark.parametrize("row", ROWS, ids=" ".join)
def test_converted_it_does_what_the_cpu_did(results: dict[tuple[str, str], Any], row: tuple[str, str]) -> None:
    cpu, xla, after = results[row]
    if any(finding.fixed for finding in converted(*row).findings):
        assert cpu in (after, RAISES)
    else:
        assert after == xla, "not rewritten"
