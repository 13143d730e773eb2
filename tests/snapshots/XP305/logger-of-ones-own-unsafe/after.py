"""A class that writes a line of JSON for each step: the file stays open, so a closure may write it."""

import json
import os

import torch
import torch_xla
import torch_xla.core.xla_model as xm
from torch import nn


class Log:
    def __init__(self, folder):
        os.makedirs(folder, exist_ok=True)
        self.file = open(os.path.join(folder, "log.jsonl"), "a")

    def log(self, values, step):
        self.file.write(json.dumps({"step": step, **values}) + "\n")
        self.file.flush()


def train(model, optimizer, batches, log, step):
    for x in batches:
        loss = model(x).mean()
        loss.backward()
        optimizer.step()
        xm.add_step_closure(
            lambda loss, step: log.log({"loss": loss.item()}, step=step),
            args=(loss, step),
            run_async=True,
        )
        torch_xla.sync()
        step += 1
    return step


def main(saved):
    model = nn.Linear(4, 1).to(torch_xla.device())
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    log, step = Log("runs"), 0
    if saved:
        step = torch.load(saved)["step"]
    for epoch in range(10):
        step = train(model, optimizer, batches, log, step)


main(None)
