import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(8, 8).to(device)


@torch.no_grad()
def run(x: torch.Tensor, loader, steps):
    x, y, z = x.to(device), x.to(device), x.to(device)
    for _ in range(steps):
        x = torch.cat([x, model(x)], 1)[:, -64:]
        y = torch.cat([y[:, 1:], model(y)[:, -1:]], dim=1)
        z = torch.cat([z, model(z)], 1)
        z = z[:, -64:]
        x = torch.nn.functional.pad(x[1:], (0, 0, 0, 1))
    return x, y, z
