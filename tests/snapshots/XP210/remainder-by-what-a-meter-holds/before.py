import time

import torch
import torch_xla
from torch import nn


class Meter:
    def __init__(self, freq):
        self.freq = freq
        self.sum = 0

    def update(self, value):
        self.sum = self.sum + value


model = nn.Linear(4, 2).to(torch_xla.device())
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
losses = Meter(10)
end = time.time()
for i, x in enumerate(torch.ones(60, 3, 4)):
    loss = model(x.to(torch_xla.device())).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    losses.update(loss.detach())
    torch_xla.sync()
    rest = i % losses.freq
    print(i, rest, time.time() - end)
    end = time.time()
