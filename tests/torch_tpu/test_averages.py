"""The batch norms of XP429 compute what PyTorch's do, and keep its averages: compared on the CPU."""

from __future__ import annotations

import copy
from typing import Any

import pytest
import torch
from torch import nn

from rules._lib.shapes.helpers import helpers

SHAPES = {1: ((6, 5), (6, 5, 4)), 2: ((6, 5, 4, 3),), 3: ((6, 5, 4, 3, 2),)}
CASES = [
    (n, shape, options)
    for n, shapes in SHAPES.items()
    for shape in shapes
    for options in ({}, {"momentum": None}, {"affine": False}, {"track_running_stats": False}, {"eps": 0.1})
]


def defined(name: str) -> Any:
    space: dict[str, Any] = {"torch": torch}
    exec(helpers()[name].replace("{torch}", "torch"), space)
    return space[name]


@pytest.mark.parametrize(("n", "shape", "options"), CASES)
def test_it_is_the_batch_norm_of_pytorch(n: int, shape: tuple[int, ...], options: dict[str, Any]) -> None:
    torch.manual_seed(0)
    theirs = getattr(nn, f"BatchNorm{n}d")(5, **options)
    ours = defined(f"MovingBatchNorm{n}d")(5, **options)
    ours.load_state_dict(copy.deepcopy(theirs.state_dict()))
    for step in range(4):
        if step == 3:
            theirs.eval(), ours.eval()
        given = [(3 + 2 * torch.randn(shape, generator=torch.Generator().manual_seed(step))) for _ in range(2)]
        for x in given:
            x.requires_grad_()
        results = [norm(x) for norm, x in zip((theirs, ours), given, strict=True)]
        for result in results:
            result.square().mul(torch.arange(5.0).view(1, 5, *[1] * (len(shape) - 2))).sum().backward()
        torch.testing.assert_close(results[1], results[0])
        torch.testing.assert_close(given[1].grad, given[0].grad)
    torch.testing.assert_close(ours.state_dict(), theirs.state_dict())
    assert isinstance(ours, type(theirs))
