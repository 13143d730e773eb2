"""Gradients that the helper `average_gradients` averages over processes, beside those of DistributedDataParallel.

Called with the file that has the helper, in processes that have not joined a group yet.
"""

import copy
import os
import sys
from pathlib import Path
from typing import Any

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

given: dict[str, Any] = {}
exec(Path(sys.argv[1]).read_text(encoding="utf-8"), given | {"torch": torch, "os": os}, given)

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 4), nn.ReLU(), nn.Linear(4, 2))
unused = nn.Parameter(torch.ones(2))
before = copy.deepcopy(model)
torch.manual_seed(int(os.environ["RANK"]))
batch = torch.randn(8, 4)

model(batch).square().mean().backward()
optimizer = torch.optim.SGD([{"params": model[0].parameters()}, {"params": [*model[2].parameters(), unused]}], lr=0.1)
assert given["average_gradients"](optimizer) is optimizer
assert dist.get_world_size() == 2

wrapped = DistributedDataParallel(before)
wrapped(batch).square().mean().backward()
for one, other in zip(model.parameters(), before.parameters(), strict=True):
    torch.testing.assert_close(one.grad, other.grad)
assert unused.grad is None
dist.destroy_process_group()
