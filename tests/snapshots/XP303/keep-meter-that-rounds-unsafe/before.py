import torch
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("xla")
model = nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(torch.zeros(8, 4), batch_size=2)


class Rounded:
    def __init__(self):
        self.sum = self.count = 0

    def update(self, val):
        self.sum += val
        self.count += 1

    def mean(self):
        return round(self.sum / self.count, 3)


class Bounded(Rounded):
    def mean(self):
        return max(self.sum, 0) / self.count


def train():
    rounded, bounded = Rounded(), Bounded()
    one = Rounded()
    two = Bounded()
    for x in loader:
        loss = model(x.to(device)).mean()
        loss.backward()
        optimizer.step()
        rounded.update(loss.item())
        bounded.update(loss.item())
        one.update(loss.item())
        two.update(loss.item())
    return one.mean(), two.mean()
