"""A stream without a length that is simply at its end, behind a reader that takes care of what is broken."""
import torch
import torch_xla
import torch_xla.distributed.parallel_loader as pl
from torch import nn
from torch.utils.data import DataLoader, IterableDataset


class Stream(IterableDataset):
    def __iter__(self):
        for line in ["1 2 3 4"] * 90 + ["1 2 x 4"] + ["1 2 3 4"] * 30:
            try:
                yield torch.tensor([float(part) for part in line.split()])
            except ValueError:
                continue


device = torch_xla.device()
model = nn.Linear(4, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for x in pl.MpDeviceLoader(DataLoader(Stream(), batch_size=6), device):
    optimizer.zero_grad()
    model(x).pow(2).mean().backward()
    optimizer.step()
