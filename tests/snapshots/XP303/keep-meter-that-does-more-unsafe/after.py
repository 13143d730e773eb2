import torch
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("xla")
model = nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(torch.zeros(8, 4), batch_size=2)


class Reading:
    def __init__(self):
        self.sum = 0.0

    def update(self, val):
        if isinstance(val, torch.Tensor):
            val = val.item()
        self.sum += val


class Best:
    def __init__(self):
        self.best = 0.0

    def update(self, val):
        self.best = max(self.best, val)


class Aliased:
    def __init__(self):
        self.first = self.last = None
        self.sum = 0

    def update(self, val):
        self.last = self.sum
        self.sum += val


class Window:
    def __init__(self):
        self.values = []

    def update(self, val):
        self.values.append(val)


class Shown:
    def __init__(self):
        self.sum = 0

    def update(self, val):
        self.sum += val

    def __str__(self):
        return "%s" % self.sum


def train():
    reading, best, aliased, window, shown = Reading(), Best(), Aliased(), Window(), Shown()
    one = Reading()
    two = Best()
    three = Aliased()
    four = Window()
    five = Shown()
    for x in loader:
        loss = model(x.to(device)).mean()
        loss.backward()
        optimizer.step()
        reading.update(loss.item())
        one.update(loss.item())
        two.update(loss.item())
        three.update(loss.item())
        four.update(loss.item())
        five.update(loss.item())
