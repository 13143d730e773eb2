"""A generator's context takes the precision of a table, whose entries are partials of autocast."""
from contextlib import contextmanager, nullcontext
from functools import partial

import torch
from torch import nn

PRECISIONS = {
    "full": nullcontext,
    "mixed": partial(torch.autocast, "cuda", dtype=torch.float16),  # wants: XP502
}


@contextmanager
def phase(net, precision):
    net.train(precision != "check")
    with PRECISIONS.get(precision, nullcontext)():
        yield net


model = nn.Linear(8, 2).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for step in range(20):
    with phase(model, "mixed") as net:
        loss = net(torch.randn(4, 8).cuda()).float().pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())
