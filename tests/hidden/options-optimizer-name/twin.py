"""The option names SGD."""
import argparse
import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--rule", default="SGD")
args = parser.parse_args([])
model = nn.Sequential(nn.Linear(8, 8), nn.Sigmoid(), nn.Linear(8, 1)).cuda()
rules = {name: getattr(torch.optim, name) for name in ("SGD", "Rprop", "Adam")}
rule = rules[args.rule](model.parameters(), lr=0.01)  # never: XP310
for step in range(10):
    x = torch.randn(16, 8).cuda()
    loss = (model(x) - x.mean(1, keepdim=True)).pow(2).mean()
    rule.zero_grad()
    loss.backward()
    rule.step()
print(args.rule, loss.item())
