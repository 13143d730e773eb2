import torch
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("xla")
model = nn.Linear(4, 3).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(torch.zeros(8, 4), batch_size=2)


def of_two_kinds(batch):
    optimizer.zero_grad()
    out = model(batch.to(device))
    loss = out.mean()
    loss.backward()
    optimizer.step()
    return {"loss": loss.item(), "hits": (out > 0).sum().item()}


def with_others(batch):
    optimizer.zero_grad()
    out = model(batch.to(device))
    loss = out.mean()
    loss.backward()
    optimizer.step()
    return {"loss": loss.item(), "size": len(batch)}


def shown(batch):
    optimizer.zero_grad()
    out = model(batch.to(device))
    loss = out.mean()
    loss.backward()
    optimizer.step()
    return {"loss": loss.item(), "most": out.max().item()}


def decides(batch):
    optimizer.zero_grad()
    out = model(batch.to(device))
    loss = out.mean()
    loss.backward()
    optimizer.step()
    return {"loss": loss.item(), "most": out.max().item()}


def kept(batch):
    optimizer.zero_grad()
    out = model(batch.to(device))
    loss = out.mean()
    loss.backward()
    optimizer.step()
    return {"loss": loss.item(), "most": out.max().item()}


def train(logger, history):
    totals = {"loss": 0.0, "hits": 0, "size": 0, "most": 0.0}
    for x in loader:
        for name, value in of_two_kinds(x).items():
            totals[name] += value
        metrics = with_others(x)
        for name, value in metrics.items():
            totals[name] += value
        for name, value in shown(x).items():
            logger.log(name, value)
        for name, value in decides(x).items():
            if value > 3:
                totals[name] += 1
        for name, value in kept(x).items():
            history[name].append(value)
    return totals
