import torch
import torch.distributed as dist
import torch_xla
from torch import nn

device = torch_xla.device()
model = nn.Linear(4, 2).to(device)


@torch.no_grad()
def evaluate(batches, rank):
    signal = torch.ones((), dtype=torch.int64, device=device)
    total = 0
    while True:
        if rank == 0:
            batch = next(batches, None)
            signal.fill_(0 if batch is None else 1)
        dist.broadcast(signal, src=0)
        if signal.item() == 0:
            break
        total = total + model(torch.zeros(8, 4, device=device)).sum()
        torch_xla.sync()
    return total
