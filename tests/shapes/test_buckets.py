"""What the rules write to pad batches further: the same batch in front, the padding value behind, few lengths."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch

CASE = Path(__file__).parents[1] / "snapshots" / "XP413"


def defined(case: str, name: str) -> Any:
    """A function that a port defines."""
    text = (CASE / case / "after.py").read_text(encoding="utf-8")
    start = text.index(f"def {name}(")
    scope: dict[str, Any] = {"torch": torch}
    exec(text[start : text.index("\n\n\n", start)], scope)
    return scope[name]


@pytest.mark.parametrize("value", [0, -100, 1.5, True])
@pytest.mark.parametrize(
    ("shape", "dim"),
    [
        ((3, 5), 1),
        ((5, 3), 0),
        ((2, 17, 4), 1),
        ((17, 2, 4), 0),
        ((2, 16), 1),
        ((0, 5), 1),
        ((2, 0), 1),
        ((2, 2000), 1),
    ],
)
def test_a_batch_stays_what_it_is_in_front_of_its_padding(shape: tuple[int, ...], dim: int, value: float) -> None:
    pad_to_bucket = defined("pad-sequence-unsafe", "pad_to_bucket")
    for dtype in (torch.int64, torch.float32, torch.bool):
        if dtype is torch.int64 and isinstance(value, float):
            continue
        batch = torch.arange(torch.Size(shape).numel()).reshape(shape).to(dtype)
        padded = pad_to_bucket(batch, dim, value)
        assert padded.dtype is batch.dtype
        front, behind = padded.split([shape[dim], padded.size(dim) - shape[dim]], dim)
        assert torch.equal(front, batch)
        assert torch.equal(behind, torch.full_like(behind, value))


def test_there_are_few_lengths() -> None:
    pad_to_bucket = defined("pad-sequence-unsafe", "pad_to_bucket")
    next_bucket = defined("longest-by-hand-unsafe", "next_bucket")
    lengths = {next_bucket(length) for length in range(1025)}
    assert lengths == {16, 32, 64, 128, 256, 512, 1024}
    assert {pad_to_bucket(torch.ones(1, length), 1, 0).size(1) for length in range(1025)} == lengths
    assert all(next_bucket(length) >= length for length in range(1, 3000))


def test_lengths_beyond_the_last_bucket_are_few_too() -> None:
    pad_to_bucket = defined("pad-sequence-unsafe", "pad_to_bucket")
    next_bucket = defined("longest-by-hand-unsafe", "next_bucket")
    assert {next_bucket(length) for length in range(1025, 300_000, 7)} == {1 << n for n in range(11, 20)}
    assert {pad_to_bucket(torch.ones(1, n), 1, 0).size(1) for n in (1025, 1500, 2048, 2049)} == {2048, 4096}
    assert next_bucket(50, buckets=(20, 40)) == 64
