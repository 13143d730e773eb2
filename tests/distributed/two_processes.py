"""Two processes on the CPU with a batch normalization of both, beside BatchNorm on the whole batch in one.

`python -m tests.distributed.two_processes FOLDER` writes there, as JSON for each process, by how much they differ at
most, for each kind of layer.
"""

from __future__ import annotations

import copy
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
import torch.distributed as dist

from rules._lib.shapes.helpers import helpers

NAME = "ReplicaSyncBatchNorm"
KINDS: dict[str, tuple[int, dict[str, Any]]] = {
    "rows": (2, {}),
    "images": (4, {}),
    "cumulative": (4, {"momentum": None}),
    "without weights": (4, {"affine": False}),
    "without buffers": (4, {"track_running_stats": False}),
    "other numbers": (3, {"eps": 1e-2, "momentum": 0.7}),
}
LAYERS: dict[int, Callable[..., torch.nn.Module]] = {
    2: torch.nn.BatchNorm1d,
    3: torch.nn.BatchNorm1d,
    4: torch.nn.BatchNorm2d,
}


def layer_class() -> Any:
    """The class that a port gets."""
    code = helpers()[NAME].replace("{torch}", "torch")
    names: dict[str, Any] = {}
    exec(f"import torch\nimport torch.distributed.nn.functional\n\n\n{code}\n", names)
    return names[NAME]


def differences(rank: int, dims: int, options: dict[str, Any]) -> dict[str, float]:
    """By how much a process with its half of each batch differs from one with all of it."""
    torch.manual_seed(0)
    whole = torch.nn.Sequential(LAYERS[dims](3, **options), torch.nn.Tanh()).double()
    part = layer_class().convert_sync_batchnorm(copy.deepcopy(whole))
    found: dict[str, float] = {"names": float(whole.state_dict().keys() != part.state_dict().keys())}

    def note(what: str, one: torch.Tensor | None, other: torch.Tensor | None) -> None:
        assert one is not None
        assert other is not None
        found[what] = max(found.get(what, 0.0), (one - other).abs().max().item())

    for step in range(3):
        torch.manual_seed(step)
        batch = torch.randn(8, 3, *[2] * (dims - 2), dtype=torch.float64) * 3 + 5
        weights = torch.randn_like(batch)
        own = slice(rank * 4, rank * 4 + 4)
        all_of_it, half = batch.clone().requires_grad_(), batch[own].clone().requires_grad_()
        wanted, out = whole(all_of_it), part(half)
        for module, loss in ((whole, (wanted * weights).sum()), (part, (out * weights[own]).sum())):
            module.zero_grad()
            loss.backward()
        note("outputs", out, wanted[own])
        assert all_of_it.grad is not None
        note("gradients", half.grad, all_of_it.grad[own])
        for mine, theirs in zip(part.parameters(), whole.parameters(), strict=True):
            assert mine.grad is not None
            dist.all_reduce(mine.grad)
            note("gradients of weights", mine.grad, theirs.grad)
        for name, value in whole.state_dict().items():
            note("state", part.state_dict()[name], value)
    note("evaluation", part.eval()(batch), whole.eval()(batch))
    return found


def work(rank: int, folder: str) -> None:
    """What one of the processes does."""
    dist.init_process_group("gloo", init_method=f"file://{folder}/meeting", rank=rank, world_size=2)
    found = {name: differences(rank, dims, options) for name, (dims, options) in KINDS.items()}
    Path(folder, f"{rank}.json").write_text(json.dumps(found), encoding="utf-8")
    dist.destroy_process_group()


if __name__ == "__main__":
    torch.multiprocessing.spawn(work, args=(sys.argv[1],), nprocs=2)
