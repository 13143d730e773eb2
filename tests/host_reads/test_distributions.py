"""What XP309 says of each distribution is what it does."""

from __future__ import annotations

import pytest
import torch

from rules.host_reads.xp309_distribution_checks import CHECKED_WITHIN, DECOMPOSED
from tests.child import printed_by
from tests.host_reads.distributions import MADE


@pytest.fixture(scope="module")
def reads() -> dict[str, list[int]]:
    """How many values each asks the device for: with its checks, with validate_args=False, and without any check."""
    found: dict[str, list[int]] = printed_by("tests.host_reads.distributions")
    return found


@pytest.mark.parametrize("name", MADE)
def test_what_stays_without_the_checks(reads: dict[str, list[int]], name: str) -> None:
    checked, unchecked, off = reads[name]
    last = name.rpartition(".")[2]
    assert checked > 0
    if last in DECOMPOSED:
        assert checked > unchecked >= off > 0
    else:
        assert off == 0
        assert (unchecked > 0) == (last in CHECKED_WITHIN)


def test_every_distribution_is_tried() -> None:
    made_of_others = {"Independent", "MixtureSameFamily", "TransformedDistribution"}
    abstract = {"Distribution", "ExponentialFamily"}
    names = {name for name in torch.distributions.__all__ if name[0].isupper() and not name.endswith("Transform")}
    assert names - made_of_others - abstract <= set(MADE)
    assert {name.rpartition(".")[2] for name in MADE} >= CHECKED_WITHIN | DECOMPOSED
