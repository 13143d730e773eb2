"""Trains a model on whole batches in one process, or on shares of them in several, by what XP961 adds.

Called with the file that has the helpers, `replicated` or `sharded`, and where to write what came of it; in one
process, it trains on the whole batches, as SPMD does.
"""

import collections
import os
import random
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy
import torch
import torch.distributed as dist
import torch.distributed.checkpoint.state_dict
import torch.distributed.fsdp
from torch import nn

Record = collections.namedtuple("Record", "names values")
code, kind, output = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3])
given: dict[str, Any] = {"torch": torch, "os": os}
exec(code.read_text(encoding="utf-8"), given)
rank, count = int(os.environ.get("RANK", "0")), int(os.environ.get("WORLD_SIZE", "1"))

torch.manual_seed(3 + 11 * rank)
random.seed(5 + 11 * rank)
numpy.random.seed(7 + 11 * rank)
torch.rand(2)
given["share_work"]()
assert (random.random(), numpy.random.rand()) == (0.6229016948897019, 0.07630828937395717)
assert dist.is_initialized() is (count > 1)
model = nn.Sequential(nn.Linear(4, 6), nn.Tanh(), nn.Linear(6, 2))
unused = nn.Parameter(torch.ones(2))
batches = [
    {
        "x": torch.randn(8, 4),
        "y": (torch.randn(8, 2), torch.tensor(0.5)),
        "name": "b",
        "record": Record([f"{n}" for n in range(8)], SimpleNamespace(scales=torch.ones(2), order=torch.arange(8))),
        "tuple": (torch.ones(1), torch.ones(8, 1)),
    }
    for _ in range(5)
]
loader = given["OwnShare"](batches, "cpu", dims=2)
assert len(loader) == len(batches)
if kind == "sharded" and count > 1:
    model = given["shard_fully"](model)
optimizer = torch.optim.AdamW([*model.parameters(), unused], lr=0.05)
lines = []
for _epoch in range(2):
    for batch in loader:
        assert (len(batch["x"]), batch["name"]) == (8 // count, "b")
        names, values = batch["record"]
        assert [int(name) for name in names] == values.order.tolist() == [*range(8)][rank * len(names) :][: len(names)]
        assert (len(names), len(values.scales)) == (8 // count, 2)
        assert [len(part) for part in batch["tuple"]] == [1, 8 // count]
        loss = (model(batch["x"]) * batch["y"][1] - batch["y"][0]).square().mean()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        whole = loss.detach() / count
        if count > 1:
            dist.all_reduce(whole)
        lines.append(f"{whole.item():.4f}")
assert unused.grad is None
state = model.state_dict()
if kind == "sharded" and count > 1:
    state = given["whole_state_dict"](model)
lines += [f"{name} {[round(number, 3) + 0.0 for number in value.flatten().tolist()]}" for name, value in state.items()]
try:
    list(given["OwnShare"]([torch.ones(3)], "cpu"))
except ValueError as error:
    lines.append(str(error))
for made, words in ((torch.optim.SGD([nn.Parameter(torch.ones(1) * rank)]), ()), (optimizer, (lambda: loss,))):
    try:
        made.step(*words)
    except RuntimeError as error:
        lines.append(str(error))
output.with_suffix(f".{rank}").write_text("\n".join(lines), encoding="utf-8")
if count > 1:
    dist.destroy_process_group()
