"""What logs opens its file for each line, and closes it: a closure may do so later."""

import json

import torch
import torch_xla
from torch import nn


class Log:
    def log(self, values):
        with open("log.jsonl", "a") as f:
            f.write(json.dumps({k: v for k, v in values.items() if isinstance(v, (int, float))}) + "\n")


def train(model, loader, log):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x in loader:
        loss = model(x.to("xla")).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        torch_xla.sync()
        log.log({"loss": loss.item()})


train(nn.Linear(4, 1).to("xla"), [torch.randn(8, 4)] * 50, Log())
