import random

import torch
from torch import nn


class Labels:
    def __init__(self, text, sound):
        self.text = text
        self.sound = sound


def forget(labels, name):
    # Of texts there is nothing to choose between on the device.
    if name == "sound":
        labels.sound = torch.zeros_like(labels.sound)
    else:
        labels.text = None


def soften(labels):
    labels.sound = torch.tanh(labels.sound)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 8)

    def forward(self, x, items):
        for labels in items:
            if random.random() < 0.1:
                forget(labels, "text")
        for labels in items:
            if random.random() < 0.1:
                soften(labels)
        return self.layer(x)


device = torch.device("cuda")
model = Net().to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(1000):
    items = [Labels("a", torch.zeros(4, device=device)) for _ in range(8)]
    loss = model(torch.randn(4, 8, device=device), items).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
