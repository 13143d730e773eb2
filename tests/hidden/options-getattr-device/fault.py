"""The device is the default of a getattr() on the options."""
import argparse
import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--steps", type=int, default=10)
args = parser.parse_args([])
where = getattr(args, "place", "cuda")  # wants: XP103
settings = {"device": where, "dtype": torch.float32}

model = nn.Linear(5, 2).to(**settings)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(args.steps):
    loss = model(torch.randn(4, 5).to(**settings)).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())
