"""What torch_xla's scan() and scan_layers() give, and what takes their place; as a program, on XLA.

`python -m tests.successor.scans` prints as JSON, for each case, what torch_xla gives and what ours does: the tree of
the results, their numbers and those of the gradients. In a process of its own: autograd raises in one where it has
run before torch_xla was imported.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import reduce
from typing import Any

import torch
from torch.utils._pytree import tree_flatten, tree_map

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
CASES: dict[str, tuple[Step, Any, Any]] = {
    "a running sum": (running_sum, number(2), number(5, 2)),
    "no row": (without_a_row, number(2), number(5, 2)),
    "trees": (of_trees, *TREES),
}


def eager_scan() -> Callable[..., tuple[Any, Any]]:
    """The loop that takes the place of scan()."""
    made: dict[str, Any] = {"torch": torch}
    exec(helpers()["eager_scan"].replace("{torch}", "torch"), made)
    found: Callable[..., tuple[Any, Any]] = made["eager_scan"]
    return found


def outcome(scanning: Callable[..., Any], case: tuple[Step, Any, Any], device: Any) -> dict[str, Any]:
    """What a scan gives, and the gradients of what it was given."""
    init, xs = tree_map(lambda v: v.clone().to(device).requires_grad_(), case[1:])
    leaves, tree = tree_flatten(scanning(case[0], init, xs))
    torch.stack([(leaf * leaf).sum() for leaf in leaves if leaf is not None]).sum().backward()
    given = tree_flatten((init, xs))[0]
    return {
        "tree": str(tree),
        "numbers": [*map(_numbers, leaves)],
        "gradients": [_numbers(leaf.grad) for leaf in given],
    }


def _numbers(tensor: torch.Tensor | None) -> list[float] | None:
    return None if tensor is None else tensor.detach().cpu().flatten().tolist()


def written(scanning: Callable[..., Any], device: Any) -> list[Any]:
    """What a step that writes into what it carries leaves behind."""
    init, xs = torch.zeros(1, device=device), torch.tensor([1.0, 2.0, 3.0], device=device)
    return [_numbers(init), *map(_numbers, scanning(written_in_place, init, xs))]


def _forward(layer: Any, x: torch.Tensor, angles: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    return layer[0](x) * angles, angles + 1


Rotated = type("Rotated", (torch.nn.Sequential,), {"forward": _forward})
"""A layer that takes two tensors, and gives two."""


def layers(scan_layers: Callable[..., Any], device: Any) -> list[dict[str, Any]]:
    """What layers give, called by torch_xla and as they are on the CPU."""
    torch.manual_seed(0)
    one, several = [torch.nn.Linear(3, 3) for _ in range(3)], [Rotated(torch.nn.Linear(3, 3)) for _ in range(3)]
    x = number(2, 3)
    expected = torch.nn.Sequential(*one)(x), *reduce(lambda given, layer: layer(*given), several, (x, x + 1))
    there, x = torch.nn.ModuleList([*one, *several]).to(device), x.to(device)
    found = scan_layers(there[:3], x), *scan_layers(there[3:], (x, x + 1))
    return [{"torch_xla": _numbers(a), "ours": _numbers(b)} for a, b in zip(found, expected, strict=True)]


def main() -> None:
    """Run each."""
    import torch_xla
    from torch_xla.experimental.scan import scan
    from torch_xla.experimental.scan_layers import scan_layers

    device = torch_xla.device()
    kinds = {"torch_xla": (scan, device), "ours": (eager_scan(), "cpu")}
    of_scans = {
        name: {kind: outcome(scanning, case, where) for kind, (scanning, where) in kinds.items()}
        for name, case in CASES.items()
    }
    refused = {}
    for kind, (scanning, _) in kinds.items():
        try:
            scanning(lambda total, x: (total, x), torch.zeros(1), (torch.zeros(2, 1), torch.zeros(3, 1)))
        except ValueError as error:
            refused[kind] = str(error)
    x = number(2, 3)
    print(json.dumps({
        "scans": of_scans,
        "written": {kind: written(*given) for kind, given in kinds.items()},
        "refused": refused,
        "layers": layers(scan_layers, device),
        "no layers": [scan_layers([], x) is x, torch.nn.Sequential()(x) is x],
    }))  # fmt: skip


if __name__ == "__main__":
    main()
