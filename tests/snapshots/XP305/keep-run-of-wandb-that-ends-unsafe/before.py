"""Runs that may have ended before a closure logs, objects that may be other ones, and steps that have to be in order."""

import torch
import torch_xla
import wandb
from torch import nn

device = torch_xla.device()
model = nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
batches = [torch.randn(8, 4)] * 50


def train(run):
    for x in batches:
        loss = model(x.to(device)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        torch_xla.sync()
        run.log({"loss": loss.item()})


def within():
    with wandb.init() as run:
        for x in batches:
            loss = model(x.to(device)).square().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            torch_xla.sync()
            run.log({"loss": loss.item()})


own = wandb.init()
train(own)
own.finish()
within()
