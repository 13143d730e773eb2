"""The largest batch that fits."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.warm_python import with_xlaport
from xlaport.errors import UserError
from xlaport.tpu.batches import batch_of, largest, with_batch
from xlaport.verify import VerifyRequest

TRAIN = """\
import argparse
import torch
import torch_xla

parser = argparse.ArgumentParser()
parser.add_argument("--batch-size", type=int, default=8)
batch = parser.parse_args().batch_size
device = torch_xla.device()
model = torch.nn.Sequential(torch.nn.Linear(1024, 1024), torch.nn.Sigmoid(), torch.nn.Linear(1024, 1024)).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for step in range(12):
    rows = torch.randn(batch, 1024).to(device)
    loss = model(rows).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
"""


def counting(needed: Callable[[int], float], asked: list[int]) -> Callable[[int], float]:
    def call(batch: int) -> float:
        asked.append(batch)
        return needed(batch)

    return call


@given(st.integers(1, 512), st.floats(0, 100), st.floats(0.1, 10), st.floats(10, 5000))
def test_where_memory_grows_in_a_straight_line_it_is_found_in_a_few_tries(
    first: int, fixed: float, each: float, limit: float
) -> None:
    asked: list[int] = []
    found = largest(first, limit, counting(lambda batch: fixed + each * batch, asked))
    assert len(asked) == len(set(asked)) <= 10
    if found.batch:
        assert fixed + each * found.batch <= limit
        above = [batch for batch, _ in found.tried if batch > found.batch]
        assert all(fixed + each * batch > limit for batch in above)
    else:
        assert all(fixed + each * batch > limit for batch in asked)


def test_the_next_batch_was_compiled_and_does_not_fit() -> None:
    asked: list[int] = []
    found = largest(32, 15.75, counting(lambda batch: 2.0 + 0.1 * batch, asked))
    assert found.batch == 136  # 137 would fit, too: above 16, batches are multiples of 8
    assert 144 in dict(found.tried)
    assert len(asked) <= 5


def test_what_grows_in_leaps_is_found_too() -> None:
    found = largest(8, 10.0, lambda batch: 1.0 + (batch // 32) * 2.0 + 0.01 * batch)
    assert 100 <= found.batch < 160


def test_from_one_that_is_too_large_it_goes_down_and_none_may_fit() -> None:
    assert largest(256, 10.0, lambda batch: 0.5 * batch).batch == 16
    nothing = largest(256, 0.1, lambda batch: 0.5 * batch)
    assert (nothing.batch, nothing.tried[0]) == (0, (1, 0))


def test_what_does_not_grow_ends() -> None:
    asked: list[int] = []
    assert largest(4, 10.0, counting(lambda batch: 1.0, asked)).batch >= 64
    assert len(asked) <= 10


@pytest.mark.parametrize(
    ("arguments", "batch", "changed"),
    [
        (("--batch-size", "8", "--epochs", "2"), 8, ("--batch-size", "64", "--epochs", "2")),
        (("--epochs", "2", "--batch-size=8"), 8, ("--epochs", "2", "--batch-size=64")),
    ],
)
def test_the_option_of_the_script_is_set(arguments: tuple[str, ...], batch: int, changed: tuple[str, ...]) -> None:
    request = VerifyRequest("train.py", arguments, steps=None)
    assert batch_of(request, "--batch-size") == batch
    other = with_batch(request, "--batch-size", 64)
    assert (other.arguments, other.steps) == (changed, 8)


@pytest.mark.parametrize("arguments", [(), ("--batch-size",), ("--batch-size", "many"), ("--batch-size=0",)])
def test_arguments_without_a_batch_are_one_line(arguments: tuple[str, ...]) -> None:
    with pytest.raises(UserError, match=r"^--largest-batch --batch-size: "):
        batch_of(VerifyRequest("train.py", arguments), "--batch-size")


def test_the_largest_batch_is_compiled_and_what_is_above_it_does_not_fit(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(TRAIN, encoding="utf-8")
    command = [
        "verify",
        "--tpu",
        "v5e",
        "--max-hbm",
        "0.05",
        "--largest-batch",
        "--batch-size",
        "--output-format",
        "json",
    ]
    done = subprocess.run(
        [with_xlaport(), "-m", "xlaport", *command, "train.py", "--", "--batch-size", "64"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=500,
        env=os.environ,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(done.stdout)["chips"][0]["largest_batch"]
    limit = 0.05 * 2**30
    sizes = {each["batch"]: each["needed"] for each in found["tried"]}
    assert found["batch"] > 64
    assert sizes[found["batch"]] <= limit
    assert min(size for batch, size in sizes.items() if batch > found["batch"]) > limit
    assert f"--batch-size {found['batch']}: run, and compiled for TPU v5e" in done.stderr
