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
    metrics = {"loss": loss.detach(), "most": out.max().detach()}
    return metrics


def train():
    totals = {"loss": 0.0, "most": 0.0}
    for step, x in enumerate(loader):
        metrics = train_step(x)
        for name in metrics:
            totals[name] += metrics[name]
    totals = {name: float(value) for name, value in totals.items()}
    return totals


def in_place():
    history = []
    for x in loader:
        optimizer.zero_grad()
        loss = model(x.to(device)).mean()
        loss.backward()
        optimizer.step()
        metrics = {"loss": loss.detach()}
        history.append(metrics)
    history = [{name: value.item() for name, value in metrics.items()} for metrics in history]
    return history


print(train(), in_place())
