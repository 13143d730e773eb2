import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.tensorboard import SummaryWriter

FREQUENCY = 100


class Logger:
    def __init__(self):
        self.steps = 0
        self.running = {}
        self.writer = None

    def push(self, metrics):
        self.steps += 1
        for key in metrics:
            if key not in self.running:
                self.running[key] = torch.tensor([0.0], device=metrics[key].device)
            self.running[key] += metrics[key]
        if self.steps % FREQUENCY == FREQUENCY - 1:
            self._show()
            self.running = {}

    def _show(self):
        shown = [float(self.running[key]) / FREQUENCY for key in sorted(self.running.keys())]
        print(("{:10.4f}, " * len(shown)).format(*shown))
        if self.writer is None:
            self.writer = SummaryWriter()
        for key in self.running:
            self.writer.add_scalar(key, float(self.running[key]) / FREQUENCY, self.steps)
            self.running[key] = 0.0

    def write_dict(self, results):
        for key in results:
            self.writer.add_scalar(key, results[key], self.steps)


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
    if logger.steps % 1000 == 0:
        logger.write_dict({"weights": 1.0})
