# planted: starved note
# A collate function that does too much: that it runs in a thread ahead of the steps does not help.
import time

import torch
import torch_xla
import torch_xla.distributed.parallel_loader as pl
from torch import nn
from torch.utils.data import DataLoader


def collate(samples):
    time.sleep(0.1)
    return torch.stack(samples)


def train(loader, model, optimizer):
    for x in loader:
        optimizer.zero_grad()
        model(x).pow(2).mean().backward()
        optimizer.step()
        torch_xla.sync()  # <- here


device = torch_xla.device()
model = nn.Linear(8, 2).to(device)
data = DataLoader(torch.randn(120, 8), batch_size=4, collate_fn=collate)
train(pl.MpDeviceLoader(data, device), model, torch.optim.SGD(model.parameters(), lr=0.1))
