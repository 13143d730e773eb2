"""A bar that is told what would be lost, or told now and then already."""

import torch
import torch_xla
from torch import nn
from tqdm import tqdm

device = torch_xla.device()
model = nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


class Meter:
    def __init__(self):
        self.sum = torch.zeros((), device=device)

    def update(self, value):
        self.sum += value
        return self.sum


class Bar:
    def set_postfix(self, loss):
        self.losses.append(float(loss))


meter, seen, own = Meter(), [], Bar()
bar = tqdm(batches)
for i, x in enumerate(bar):
    loss = model(x).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    bar.set_postfix(loss=float(meter.update(loss.detach())))
    bar.set_postfix(loss=(last := loss.item()))
    seen.append(last)
    own.set_postfix(loss)
    if i % 10 == 0:
        bar.set_postfix(loss=float(meter.sum))
