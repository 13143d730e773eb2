import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def measured(out, target):
    error = (out - target).abs()
    return error.mean(), {"error": error.mean().detach(), "below one": (error < 1).float().mean()}


def measured_by_name(out, target):
    error = (out - target).abs()
    metrics = {"error": error.mean().detach(), "below one": (error < 1).float().mean()}
    return error.mean(), metrics


model = nn.Linear(4, 2).to("xla")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step, (x, y) in enumerate(DataLoader(TensorDataset(torch.randn(16, 4), torch.rand(16, 2)))):
    optimizer.zero_grad()
    loss, metrics = measured(model(x.to("xla")), y.to("xla"))
    other, more = measured_by_name(model(x.to("xla")), y.to("xla"))
    (loss + other).backward()
    optimizer.step()
    if step % 100 == 0:
        more = {name: value.item() for name, value in more.items()}
        print(metrics["error"].item(), more)
