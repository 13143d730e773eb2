"""The option is a comment that is printed."""
import argparse
import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--target", default="cpu")
parser.add_argument("--comment", default="cuda")  # never: XP103
parser.add_argument("--lr", type=float, default=0.1)
options = vars(parser.parse_args([]))
print("comment:", options["comment"])

model = nn.Linear(6, 2).to(options["target"])
optimizer = torch.optim.SGD(model.parameters(), lr=options["lr"])
for step in range(12):
    x = torch.randn(4, 6).to(options["target"])
    loss = model(x).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())
