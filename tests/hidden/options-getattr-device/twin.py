"""The default of the getattr() is a title that is printed."""
import argparse
import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--steps", type=int, default=10)
args = parser.parse_args([])
where = getattr(args, "place", None)
origin = getattr(args, "origin", "cuda")  # never: XP103
print("origin:", origin)
settings = {"device": where, "dtype": torch.float32}

model = nn.Linear(5, 2).to(**settings)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(args.steps):
    loss = model(torch.randn(4, 5).to(**settings)).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())
