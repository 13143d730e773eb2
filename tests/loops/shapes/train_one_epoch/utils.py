import torch


class MetricLogger:
    def __init__(self):
        self.totals = {}
        self.counts = {}

    def update(self, **kwargs):
        for name, value in kwargs.items():
            if isinstance(value, torch.Tensor):
                value = value.item()
            self.totals[name] = self.totals.get(name, 0.0) + value
            self.counts[name] = self.counts.get(name, 0) + 1

    def mean(self, name):
        return self.totals[name] / self.counts[name]

    def __str__(self):
        return "  ".join(f"{name}: {self.mean(name):.4f}" for name in self.totals)


def accuracy(output, target):
    with torch.no_grad():
        return output.argmax(1).eq(target).float().mean()
