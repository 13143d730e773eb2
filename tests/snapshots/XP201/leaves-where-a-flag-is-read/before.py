import torch
import torch.distributed as dist
from torch import nn


def evaluate(model, loader, device, n):
    total = 0.0
    with torch.no_grad():
        signal = torch.zeros((), device=device)
        it = iter(loader)
        i = 0
        while True:
            batch = next(it, None)
            signal.fill_(0 if batch is None else 1)
            dist.broadcast(signal, src=0)
            if signal.item() == 0:
                break
            if batch is not None:
                x = batch.to(device)
            else:
                x = torch.zeros(8, 4, device=device)
            total += model(x).sum()
            i += 1
    return total / n


device = torch.device("xla")
model = nn.Linear(4, 2).to(device)
print(evaluate(model, torch.utils.data.DataLoader(torch.randn(64, 4), batch_size=8), device, 64))


def until_it_is_good(model, loader, device):
    with torch.no_grad():
        for batch in loader:
            out = model(batch.to(device))
            total = out.sum()
            if total.item() < 0:
                break
            print(out.mean().item())
