"""A class registry gives the model by an option; a base method moves what the heirs made, after the optimizer."""
import argparse

import torch
from torch import nn

ARCHITECTURES = {}


def architecture(name):
    def add(cls):
        ARCHITECTURES[name] = cls
        return cls

    return add


class Experiment:
    def __init__(self, width):
        self.net = self.build(width)
        self.optimizer = torch.optim.AdamW(self.net.parameters(), lr=1e-3)  # wants: XP203

    def launch(self):
        self.net = self.net.to("cuda:0")
        return self


@architecture("mlp")
class Dense(Experiment):
    def build(self, width):
        return nn.Sequential(nn.Linear(8, width), nn.GELU(), nn.Linear(width, 1))


@architecture("linear")
class Flat(Experiment):
    def build(self, width):
        return nn.Linear(8, 1)


parser = argparse.ArgumentParser()
parser.add_argument("--arch", default="mlp", choices=sorted(ARCHITECTURES))
args = parser.parse_args([])
run = ARCHITECTURES[args.arch](32).launch()
for step in range(10):
    loss = run.net(torch.randn(16, 8, device="cuda:0")).pow(2).mean()
    run.optimizer.zero_grad()
    loss.backward()
    run.optimizer.step()
print(loss.item())
