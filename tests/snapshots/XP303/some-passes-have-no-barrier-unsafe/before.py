import torch
import torch_xla
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("xla")
model = nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(torch.zeros(64, 4), batch_size=8)


def run(is_train):
    losses = []
    total = 0.0
    for x in loader:
        with torch.set_grad_enabled(is_train):
            loss = model(x.to(device)).mean()
            losses.append(loss.item())
            value = loss.item()
            total += value
        if is_train:
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            torch_xla.sync()
    return sum(losses), total


def accumulate():
    losses = []
    for i, x in enumerate(loader):
        loss = model(x.to(device)).mean()
        losses.append(loss.item())
        loss.backward()
        if (i + 1) % 4 == 0:
            optimizer.step()
            optimizer.zero_grad()
            torch_xla.sync()
    return sum(losses)


print(run(True), run(False), accumulate())
