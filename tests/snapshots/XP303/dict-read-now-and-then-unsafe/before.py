import json

import torch
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("xla")
model = nn.Linear(4, 3).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(torch.zeros(8, 4), batch_size=2)


def train_step(batch):
    optimizer.zero_grad()
    out = model(batch.to(device))
    loss = out.mean()
    loss.backward()
    optimizer.step()
    return {"loss": loss.item(), "hits": (out > 0).sum().item()}


def show(step, loss, hits):
    print(step, loss, hits)


def train(writer):
    for step, x in enumerate(loader):
        metrics = train_step(x)
        if step % 10 == 0:
            show(step, **metrics)
            for name, value in metrics.items():
                writer.add(name, value)
            print(metrics["loss"])
    return metrics


def evaluating(evaluate):
    for step, x in enumerate(loader):
        train_step(x)
        if step % 10 == 0:
            metrics = train_step(x)
            print("more", metrics)


def last_look(writer):
    for step, x in enumerate(loader):
        metrics = train_step(x)
        if step % 10 == 0:
            writer.add(metrics)


train(None), evaluating(None), last_look(None)
