# MpDeviceLoader is the barrier; a torch_xla.sync() beside it has nothing to do.
import torch
import torch_xla
import torch_xla.distributed.parallel_loader as pl
from torch import nn
from torch.utils.data import DataLoader

device = torch_xla.device()
torch.manual_seed(0)
model = nn.Linear(8, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def train_step(x):
    optimizer.zero_grad()
    loss = model(x).pow(2).mean()
    loss.backward()
    optimizer.step()
    return loss


loader = pl.MpDeviceLoader(DataLoader(torch.randn(32, 8), batch_size=4, drop_last=True), device)
for epoch in range(2):
    for x in loader:
        train_step(x)
    torch_xla.sync()
