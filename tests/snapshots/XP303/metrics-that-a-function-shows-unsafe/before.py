import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def show(metrics, step):
    if step % 100 == 0:
        for name, value in metrics.items():
            print(f"{name}: {value:.4f}")
        if metrics["error"] > 10:
            raise ValueError("it does not train")


def measured(out, target):
    error = (out - target).abs()
    metrics = {"error": error.mean().item(), "below one": (error < 1).float().mean().item()}
    return error.mean(), metrics


model = nn.Linear(4, 2).to("xla")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step, (x, y) in enumerate( DataLoader(TensorDataset(torch.randn(16, 4), torch.rand(16, 2)))):
    optimizer.zero_grad()
    loss, metrics = measured(model(x.to("xla")), y.to("xla"))
    loss.backward()
    optimizer.step()
    show(metrics, step)
