"""The loop that takes the place of torch_xla's scan(), and the layers of scan_layers(), give what these give."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any

import pytest
import torch
import torch_xla
from torch.utils._pytree import tree_flatten, tree_map
from torch_xla.experimental.scan import scan
from torch_xla.experimental.scan_layers import scan_layers

from rules._lib.shapes.helpers import helpers

Step = Callable[[Any, Any], tuple[Any, Any]]


def running_sum(total: Any, x: Any) -> tuple[Any, Any]:
    return total + x, total * 2


def written_in_place(total: Any, x: Any) -> tuple[Any, Any]:
    total += x
    return total, total


def without_a_row(total: Any, x: Any) -> tuple[Any, Any]:
    return (total * x).tanh(), None


def of_trees(carry: Any, x: Any) -> tuple[Any, Any]:
    weight, (state, count) = carry["weight"], carry["state"]
    state = torch.tanh(x["left"] @ weight + state * x["right"][0])
    return {"weight": weight, "state": (state, count + 1)}, [state, {"norm": state.norm(), "none": None}]


def number(*shape: int) -> torch.Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(sum(shape)))


TREES = (
    {"weight": number(3, 3), "state": (number(3), torch.zeros(()))},
    {"left": number(4, 3), "right": [number(4, 3)]},
)
CASES = [
    (running_sum, number(2), number(5, 2)),
    (without_a_row, number(2), number(5, 2)),
    (of_trees, *TREES),
]


def eager_scan() -> Callable[..., tuple[Any, Any]]:
    made: dict[str, Any] = {"torch": torch}
    exec(helpers()["eager_scan"].replace("{torch}", "torch"), made)
    found: Callable[..., tuple[Any, Any]] = made["eager_scan"]
    return found


def outcome(scanning: Callable[..., Any], step: Step, init: Any, xs: Any, device: Any) -> tuple[Any, list[Any]]:
    """What a scan gives, and the gradients of what it was given."""
    init, xs = tree_map(lambda v: v.clone().to(device).requires_grad_(), (init, xs))
    result = scanning(step, init, xs)
    sums = [(leaf * leaf).sum() for leaf in tree_flatten(result)[0] if leaf is not None]
    torch.stack(sums).sum().backward()
    gradients = [leaf.grad for leaf in tree_flatten((init, xs))[0]]
    return tree_map(_on_host, result), [_on_host(gradient) for gradient in gradients]


def _on_host(tensor: torch.Tensor | None) -> torch.Tensor | None:
    return None if tensor is None else tensor.detach().cpu()


@pytest.mark.parametrize(("step", "init", "xs"), CASES)
def test_results_and_gradients_are_those_of_torch_xla(step: Step, init: Any, xs: Any) -> None:
    of_xla, gradients_of_xla = outcome(scan, step, init, xs, torch_xla.device())
    ours, gradients = outcome(eager_scan(), step, init, xs, "cpu")
    assert tree_flatten(ours)[1] == tree_flatten(of_xla)[1]
    pairs = zip((*tree_flatten(ours)[0], *gradients), (*tree_flatten(of_xla)[0], *gradients_of_xla), strict=True)
    for one, other in pairs:
        assert (one is None) is (other is None)
        assert one is None or torch.allclose(one, other, rtol=1e-5, atol=1e-6)


def test_what_is_written_into_stays_as_it_was() -> None:
    for scanning, device in ((scan, torch_xla.device()), (eager_scan(), "cpu")):
        init, xs = torch.zeros(1, device=device), torch.tensor([1.0, 2.0, 3.0], device=device)
        total, history = scanning(written_in_place, init, xs)
        assert (init.item(), total.item(), history.flatten().tolist()) == (0.0, 6.0, [1.0, 3.0, 6.0])


def test_different_numbers_of_rows_raise_as_with_torch_xla() -> None:
    for scanning in (scan, eager_scan()):
        with pytest.raises(ValueError, match=r"leading dimension|shorter|longer"):
            scanning(lambda total, x: (total, x), torch.zeros(1), (torch.zeros(2, 1), torch.zeros(3, 1)))


def _forward(layer: Any, x: torch.Tensor, angles: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    return layer[0](x) * angles, angles + 1


Rotated = type("Rotated", (torch.nn.Sequential,), {"forward": _forward})
"""A layer that takes two tensors, and gives two."""


def test_layers_are_called_as_torch_xla_calls_them() -> None:
    torch.manual_seed(0)
    one, several = [torch.nn.Linear(3, 3) for _ in range(3)], [Rotated(torch.nn.Linear(3, 3)) for _ in range(3)]
    x, device = number(2, 3), torch_xla.device()
    expected = torch.nn.Sequential(*one)(x), *reduce(lambda given, layer: layer(*given), several, (x, x + 1))
    there = torch.nn.ModuleList([*one, *several]).to(device)
    x = x.to(device)
    found = scan_layers(there[:3], x), *scan_layers(there[3:], (x, x + 1))
    assert all(torch.allclose(a, b.cpu(), rtol=1e-5, atol=1e-6) for a, b in zip(expected, found, strict=True))
    assert scan_layers([], x) is x
    assert torch.nn.Sequential()(x) is x
