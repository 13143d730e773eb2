import torch
import torch_xla

import torch_xla.distributed.parallel_loader as pl
import torch_xla.distributed.spmd as xs
import torch_xla.runtime as xr
from torch import nn
from torch.utils.data import DataLoader

xr.use_spmd()
device = torch_xla.device()
mesh = xs.get_1d_mesh("data")
model = nn.Linear(8, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(torch.ones(64, 8), batch_size=8, drop_last=True)
for x in pl.MpDeviceLoader(loader, device):
    loss = model(x).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())
