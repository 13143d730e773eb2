import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(8, 8).to(device)


@torch.no_grad()
def run(x: torch.Tensor, loader, steps):
    x = x.to(device)
    for batch in loader:
        both = torch.cat([batch.to(device), x])
        out = model(both)
        pairs = [out, out * 2]
        pairs.append(out * 3)
        x = torch.cat(pairs).mean(0, keepdim=True)
        x = torch.cat([x, x])[:1]
    return x
