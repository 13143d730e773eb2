"""The catalogue of CUDA names: complete, consistent, and right where it can be run."""

from __future__ import annotations

from xlaport.rules.catalogue import Disposition, catalogue


def test_what_is_to_be_done_by_hand_says_why_and_how() -> None:
    for entry in catalogue().entries.values():
        for answer in (entry.answer, *(answer for _, answer in entry.contexts)):
            if answer.disposition is Disposition.MANUAL:
                assert answer.why, entry.name
                assert answer.recipe, entry.name
