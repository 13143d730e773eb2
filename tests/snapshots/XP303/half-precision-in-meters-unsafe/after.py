import torch
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("xla")
model = nn.Linear(4, 1).to(device, torch.bfloat16)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(torch.zeros(8, 4), batch_size=2)


class Meter:
    def __init__(self):
        self.sum = self.count = 0

    def update(self, val):
        self.sum += val
        self.count += 1

    def mean(self):
        return self.sum / self.count


def train():
    # Python adds in 64 bits; a tensor of bfloat16 stops growing at 256 times what is added to it.
    one = Meter()
    sums = {"loss": 0.0}
    losses = []
    named = Meter()
    last = 0.0
    total = torch.tensor([0.0], device=device)
    for x in loader:
        loss = model(x.to(device, torch.bfloat16)).mean()
        loss.backward()
        optimizer.step()
        one.update(loss.detach().float())
        sums["loss"] += loss.detach().float()
        losses.append(loss.detach())
        value = loss.detach().float()
        named.update(value)
        total += 2 * last
        last = loss.detach().float()
    sums = {name: float(value) for name, value in sums.items()}
    losses = [loss.item() for loss in losses]
    return float(one.mean()), sums, losses, float(named.mean()), total.item()
