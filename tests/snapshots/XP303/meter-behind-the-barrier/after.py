import torch
import torch_xla
from torch import nn
from torch.utils.data import DataLoader


class Meter:
    def __init__(self):
        self.sum = 0
        self.count = 0

    def update(self, val, n=1):
        self.sum += val * n
        self.count += n


class Printer:
    def update(self, val):
        print(val)


device = torch.device("xla")
model = nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
losses = Meter()
printer = Printer()
for x in DataLoader(torch.zeros(8, 4)):
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()
    losses.update(loss.detach(), n=len(x))
    torch_xla.sync()
    printer.update(loss.detach())
    losses.update(0.5)
