from collections import defaultdict, deque

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Logger:
    def __init__(self):
        self.history = defaultdict(list)
        self.last = {}
        self.errors = deque(maxlen=100)

    def push(self, metrics):
        for key, value in metrics.items():
            self.history[key].append(value)
            self.last.setdefault(key, []).append(0.5 * value)
        self.errors.append(metrics["error"])

    def summary(self):
        worst = max([float(value) for value in self.errors])
        return {key: np.mean([float(value) for value in values]) for key, values in self.history.items()}, float(self.history["error"][-1]), worst

    def show(self):
        for values in self.last.values():
            print(sum([float(value) for value in values]) / len(values), [float(value) for value in values[-10:]])
            for value in values:
                print(f"{float(value):.3f}")


def measured(out, target):
    error = (out - target).abs()
    metrics = {"error": error.mean().detach(), "below one": (error < 1).float().mean()}
    return error.mean(), metrics


model = nn.Linear(4, 2).to("xla")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
logger = Logger()
for x, y in DataLoader(TensorDataset(torch.randn(16, 4), torch.rand(16, 2))):
    optimizer.zero_grad()
    loss, metrics = measured(model(x.to("xla")), y.to("xla"))
    loss.backward()
    optimizer.step()
    logger.push(metrics)
print(logger.summary())
logger.show()
