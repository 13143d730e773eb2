"""Loops of a run: which of them are parts of a loop around others, and how many steps they lie apart."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from xlaport.verify.events import Counts, Site
from xlaport.verify.phases import SELDOM, Phase
from xlaport.verify.steps import MARKER, Step

SITE = Site("train.py", 9, "train")


def phase(numbers: Iterable[int], warmup: int = 0, proven: bool = True) -> Phase:
    """A loop whose steps have these numbers in the run."""
    return Phase(SITE, tuple(Step(number, MARKER, SITE, Counts()) for number in numbers), warmup, proven)


@pytest.mark.parametrize(
    ("numbers", "is_seldom", "span"),
    [
        ([1, 2, 3, 4], False, 4),
        ([1, 1 + SELDOM, 1 + 2 * SELDOM], False, 1 + 2 * SELDOM),  # as near as a barrier in every n-th step
        ([1, 2 + SELDOM, 3 + 2 * SELDOM], True, 3 + 2 * SELDOM),  # what ends an epoch
        ([1, 2, 30, 60], False, 60),  # two in a row: a loop of its own, with pauses
        ([7], False, 1),  # one step says nothing of what lies between
    ],
)
def test_what_ends_an_epoch_is_seldom(numbers: list[int], is_seldom: bool, span: int) -> None:
    found = phase(numbers)
    assert found.is_seldom is is_seldom
    assert found.span == span


def test_only_steady_steps_count() -> None:
    # Its first two steps follow each other, and are warm-up.
    found = phase([1, 2, 40, 80], warmup=2)
    assert found.is_seldom
    assert found.span == 41


def test_nothing_is_said_of_a_loop_that_ran_too_few_steps() -> None:
    found = phase([1, 40, 80], proven=False)
    assert not found.is_seldom
    assert found.span == 0
