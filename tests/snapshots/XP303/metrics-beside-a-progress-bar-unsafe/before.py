import torch
from tqdm import tqdm
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Logger:
    def __init__(self):
        self.steps = 0
        self.running = {}

    def update(self, metrics):
        self.steps += 1
        for key in metrics:
            if key not in self.running:
                self.running[key] = 0.0
            self.running[key] += metrics[key]
        if self.steps % 8 == 7:
            print(("{:10.4f}, " * len(self.running)).format(*[self.running[key] / 100 for key in self.running]))
            self.running = {}


def measured(out, target):
    error = (out - target).abs()
    return error.mean(), {"error": error.mean().item(), "below one": (error < 1).float().mean().item()}


model = nn.Linear(4, 2).to("xla")
pbar = tqdm(total=100)
results = {}
results.update({"a": 1})
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
logger = Logger()
for x, y in DataLoader(TensorDataset(torch.randn(64, 4), torch.rand(64, 2))):
    optimizer.zero_grad()
    loss, metrics = measured(model(x.to("xla")), y.to("xla"))
    loss.backward()
    optimizer.step()
    pbar.update(1)
    logger.update(metrics)
