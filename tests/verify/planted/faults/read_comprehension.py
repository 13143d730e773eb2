# planted: host-read
# Several losses, read one by one in a comprehension.
import torch
import torch_xla
from torch import nn

device = torch_xla.device()
torch.manual_seed(0)
model = nn.Linear(8, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def losses(x):
    y = model(x)
    return {"first": y[:, 0].pow(2).mean(), "second": y[:, 1].abs().mean()}


def shown(parts):
    return {name: round(part.item(), 3) for name, part in parts.items()}  # <- here


for step in range(9):
    optimizer.zero_grad()
    parts = losses(torch.randn(4, 8).to(device))
    sum(parts.values()).backward()
    optimizer.step()
    torch_xla.sync()
    shown(parts)
