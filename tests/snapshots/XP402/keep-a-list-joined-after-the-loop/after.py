import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(8, 8).to(device)


@torch.no_grad()
def run(x: torch.Tensor, loader, steps):
    outputs, x = [], x.to(device)
    for _ in range(steps):
        x = model(x)
        outputs.append(x)
    return torch.stack(outputs), torch.cat(outputs)
