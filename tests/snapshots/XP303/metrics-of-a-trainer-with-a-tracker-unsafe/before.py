import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Tracker:
    def __init__(self, *keys):
        self.sums = dict.fromkeys(keys, 0.0)
        self.count = 0

    def update(self, values):
        for key, value in values.items():
            self.sums[key] += value
        self.count += 1

    def result(self):
        return {key: value / self.count for key, value in self.sums.items()}

    def reset(self):
        for key in self.sums:
            self.sums[key] = 0.0
        self.count = 0


class Trainer:
    def __init__(self):
        self.model = nn.Linear(4, 2).to("xla")
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)
        self.tracker = Tracker("error", "below one")

    def loss(self, out, target):
        error = (out - target).abs()
        return error.mean(), {"error": error.mean().item(), "below one": (error < 1).float().mean().item()}

    def epoch(self, loader):
        self.tracker.reset()
        for x, y in loader:
            self.optimizer.zero_grad()
            loss, metrics = self.loss(self.model(x.to("xla")), y.to("xla"))
            loss.backward()
            self.optimizer.step()
            self.tracker.update(metrics)
        return self.tracker.result()


trainer = Trainer()
loader = DataLoader(TensorDataset(torch.randn(16, 4), torch.rand(16, 2)))
for epoch in range(3):
    print(trainer.epoch(loader))
