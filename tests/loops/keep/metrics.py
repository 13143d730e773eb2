"""Loops over metrics, results and meters, with and without a method called `step` or `update`."""

import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Meter:
    def __init__(self):
        self.total, self.count = 0.0, 0

    def update(self, value):
        self.total += value
        self.count += 1


class Bar:
    def step(self):
        print(".", end="")


meters = {name: Meter() for name in ("loss", "accuracy")}
history = [{"loss": 1.0 / (i + 1), "accuracy": i / 10} for i in range(10)]
bar = Bar()
for record in history:
    for name, value in record.items():
        meters[name].update(value)
    bar.step()
for name, meter in meters.items():
    print(name, meter.total / meter.count)

confusion = torch.zeros(3, 3, dtype=torch.long)
for t, p in zip(torch.randint(0, 3, (20,)), torch.randint(0, 3, (20,))):
    confusion[t, p] += 1
for i, row in enumerate(confusion):
    print(i, row.tolist())
weights = torch.ones(3).to(device)
print(weights.sum().item())
