"""The wrapper is a plain module."""
import argparse

import torch
from torch import nn


class Wide(nn.Module):
    def __init__(self, module):
        super().__init__()
        self.module = module

    def forward(self, x):
        return self.module(x)
  
    def __getattr__(self, name):
        try:
            return super().__getattr__(name)
        except AttributeError:
            return getattr(self.module, name)


STYLES = {"one": lambda net: net, "many": lambda net: Wide(net)}  # never: XP601

parser = argparse.ArgumentParser()
parser.add_argument("--style", default="many", choices=list(STYLES))
args = parser.parse_args([])
net = STYLES[args.style](nn.Linear(5, 5).cuda())
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(10):
    loss = net(torch.randn(16, 5).cuda()).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(net.in_features, loss.item())
