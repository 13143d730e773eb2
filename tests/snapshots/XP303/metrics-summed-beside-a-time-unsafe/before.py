import time
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Logger:
    def __init__(self):
        self.steps = 0
        self.running = {}

    def push(self, metrics):
        self.steps += 1
        for key in metrics:
            if key not in self.running:
                self.running[key] = 0.0
            self.running[key] += metrics[key]
        if self.steps % 100 == 0:
            print([self.running[key] / 100 for key in sorted(self.running)])
            self.running = {}


def measured(out, target):
    error = (out - target).abs()
    metrics = {"error": error.mean().item(), "below one": (error < 1).float().mean().item()}
    return error.mean(), metrics


model = nn.Linear(4, 2).to("xla")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
logger = Logger()
for x, y in DataLoader(TensorDataset(torch.randn(16, 4), torch.rand(16, 2))):
    begin = time.time()
    optimizer.zero_grad()
    loss, metrics = measured(model(x.to("xla")), y.to("xla"))
    loss.backward()
    optimizer.step()
    metrics["seconds"] = time.time() - begin
    logger.push(metrics)
    if logger.steps % 50 == 0:
        print(metrics)
