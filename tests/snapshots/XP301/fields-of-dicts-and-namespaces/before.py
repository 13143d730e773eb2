from collections import deque
from types import SimpleNamespace

import torch
from torch import nn

run = SimpleNamespace(total=0.0, last=None, seen=0)
state = {"loss": None, "count": 0}
recent = deque(maxlen=5)
model = nn.Linear(8, 1).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def account(info, count):
    info.seen += float(count)
    info.total += float(info.last) * count


for step in range(100):
    loss = model(torch.randn(16, 8).cuda()).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    run.last = loss
    account(run, 16)
    state["loss"] = loss.detach()
    state["count"] = step
    print(f"{state['count']}")
    print(f"{state['loss']:.3f}")
    recent.append(loss.detach())
    print(f"{sum(recent) / len(recent):.3f}")
