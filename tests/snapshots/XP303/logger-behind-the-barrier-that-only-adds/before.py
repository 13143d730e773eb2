import torch
import torch_xla
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Logger:
    def __init__(self):
        self.steps = 0
        self.running = {}

    def push(self, metrics):
        self.steps += 1
        for key, value in metrics.items():
            self.running[key] = self.running.get(key, 0.0) + value


def measured(out, target):
    error = (out - target).abs()
    metrics = {"error": error.mean().detach(), "below one": (error < 1).float().mean().detach()}
    return error.mean(), metrics


model = nn.Linear(4, 2).to("xla")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
logger = Logger()
for x, y in DataLoader(TensorDataset(torch.randn(16, 4), torch.rand(16, 2))):
    optimizer.zero_grad()
    loss, metrics = measured(model(x.to("xla")), y.to("xla"))
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    logger.push(metrics)
