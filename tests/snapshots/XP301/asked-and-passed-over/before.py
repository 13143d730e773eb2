"""A packed sequence is passed over: what goes on is none."""

import torch
from torch import nn
from torch.nn.utils.rnn import PackedSequence

model = nn.Linear(4, 2).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for batch in loader:
    batch = [t.to("cuda") for t in batch]
    if isinstance(batch, PackedSequence):
        continue
    x, m = batch
    loss = model(x).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(m.max().item())
