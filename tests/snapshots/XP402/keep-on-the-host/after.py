import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(8, 8).to(device)


@torch.no_grad()
def run(x: torch.Tensor, loader, steps):
    found = torch.tensor([])
    texts = []
    for inputs in loader:
        out = model(inputs.to(device))
        found = torch.cat([found, out.argmax(1).cpu()])
    return found
