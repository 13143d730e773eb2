import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(8, 8).to(device)


@torch.no_grad()
def run(x: torch.Tensor, loader, steps):
    outputs = []
    for _ in range(steps):
        outputs.append(model(x.to(device)))
        x = torch.stack(outputs, dim=1).mean(1)
    return x
