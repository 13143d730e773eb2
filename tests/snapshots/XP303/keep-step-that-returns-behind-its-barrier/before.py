import torch
import torch_xla
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("xla")
model = nn.Linear(4, 3).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(torch.zeros(8, 4), batch_size=2)


def changes(out):
    return out.mul_(2)


def train_step(batch):
    optimizer.zero_grad()
    out = model(batch.to(device))
    loss = out.mean()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    return {"changed": changes(out), "loss": (out - 1).mean().item()}


def lazily(batch):
    optimizer.zero_grad()
    out = model(batch.to(device))
    loss = out.mean()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    return loss.item(), out.sum().item() if batch is None else None


def in_between(batch):
    optimizer.zero_grad()
    out = model(batch.to(device))
    loss = out.mean()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    out += 1
    return (out * 2).mean().item()


for x in loader:
    print(train_step(x))
    print(lazily(x))
    print(in_between(x))
