import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(8, 8).to(device)


@torch.no_grad()
def run(x: torch.Tensor, loader, steps):
    x = x.to(device)
    history = x
    grown = x
    for _ in range(steps):
        history = torch.hstack([history.detach(), model(x)])
        grown = torch.nn.functional.pad(grown, (0, 0, 0, 1))
        x = model(grown)[:1]
    return history, grown
