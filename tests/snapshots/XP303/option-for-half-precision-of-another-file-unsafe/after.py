import argparse

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--amp", action="store_true")
args = parser.parse_args()
name = "run_amp_on" if args.amp else "run"


class Meter:
    def __init__(self):
        self.total = 0
        self.count = 0

    def update(self, value):
        self.total += value
        self.count += 1


device = torch.device("cuda")
model = nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
losses = Meter()
for x in torch.utils.data.DataLoader(torch.zeros(8, 4)):
    loss = model(x.to(device)).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    losses.update(loss.detach())
print(f"{name} {float(losses.total) / losses.count:.3f}")
