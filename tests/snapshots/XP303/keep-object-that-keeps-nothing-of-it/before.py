import torch
import torch_xla
from torch import nn
from torch.utils.data import DataLoader


class Ticks:
    def __init__(self):
        self.count = 0

    def update(self, loss, n):
        self.count += n


class Watch:
    best = 0

    def ask(self, *args):
        self.best = max(self.best, args[1])


device = torch_xla.device()
model = nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ticks, watch = Ticks(), Watch()
for step, x in enumerate(DataLoader(torch.randn(8, 4))):
    loss = model(x.to(device)).square().mean()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    torch_xla.sync()
    ticks.update(loss, x.size(0))
    watch.ask(loss, step)
