"""What XP311 adds reads a buffer again where it has been written to, and else not."""

from __future__ import annotations

from typing import Any

import pytest

from tests.child import printed_by
from tests.host_reads.kept_buffers import WRITES


@pytest.fixture(scope="module")
def results() -> dict[str, Any]:
    """What is read behind each write."""
    found: dict[str, Any] = printed_by("tests.host_reads.kept_buffers")
    return found


@pytest.mark.parametrize("where", ["cpu", "xla"])
@pytest.mark.parametrize("name", WRITES)
def test_it_is_read_again_only_behind_a_write(results: dict[str, Any], name: str, where: str) -> None:
    result = results[f"{name} on {where}"]
    assert result["read"] == [result["wanted"]] * 3
    if where == "xla":
        assert result["times"] == (name not in ("none", "a barrier"))
