import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(8, 8).to(device)


@torch.no_grad()
def run(x: torch.Tensor, loader, steps):
    outputs, others, x = [], [], x.to(device)
    for n, batch in enumerate(loader):
        x = model(batch.to(device))
        outputs.append(x)
        others.append(x)
        if n % 10 == 9:
            print(torch.stack(outputs).mean().item())
            outputs = []
            print(torch.stack(others).mean().item())
            others.clear()
    return x
