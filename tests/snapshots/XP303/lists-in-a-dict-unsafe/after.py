from collections import defaultdict

import torch
import torch_xla
from torch import nn


class Meter:
    def __init__(self):
        self.sum = self.count = 0

    def update(self, value):
        self.sum += value
        self.count += 1


def train(loader, epochs):
    model = nn.Linear(4, 3).to("xla")
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    history = {"loss": [], "hits": [], "rate": [], "epoch": []}
    more, meter = defaultdict(list), Meter()
    for epoch in range(epochs):
        for x, y in loader:
            output = model(x)
            loss = nn.functional.cross_entropy(output, y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            history["loss"].append(loss.detach())
            history["hits"].append((output.argmax(1) == y).sum())
            history["rate"].append(optimizer.param_groups[0]["lr"])
            more["twice"].append(2 * loss.detach())
            meter.update(loss.detach())
            torch_xla.sync()
        history["epoch"].append(epoch)
        print(epoch, history["epoch"][-1])
    history["loss"] = [loss.item() for loss in history["loss"]]
    history["hits"] = [float(value) for value in history["hits"]]
    more["twice"] = [loss.item() for loss in more["twice"]]
    return history, dict(more), float(meter.sum)


train(torch.utils.data.DataLoader([]), 2)
