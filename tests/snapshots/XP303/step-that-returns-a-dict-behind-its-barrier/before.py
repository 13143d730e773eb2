import torch
import torch_xla
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
    torch_xla.sync()
    return {"loss": loss.item(), "class": (out > 0).float().mean().item(), "size": len(batch)}


def pair(batch):
    optimizer.zero_grad()
    out = model(batch.to(device))
    loss = out.mean()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    return loss.item(), torch.abs(out).max().item() * 100, (out
        > 1).sum()


for x in loader:
    print(train_step(x))
    print(pair(x))
