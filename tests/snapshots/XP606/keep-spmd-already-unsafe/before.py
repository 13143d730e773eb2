import torch
import torch.nn as nn
import torch_xla
import torch_xla.distributed.parallel_loader as pl
import torch_xla.distributed.spmd as xs
import torch_xla.runtime as xr
from torch.utils.data import DataLoader, TensorDataset

xr.use_spmd()
mesh = xs.get_1d_mesh("data")
device = torch_xla.device()
model = nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(TensorDataset(torch.zeros(64, 4)), batch_size=16)
for (x,) in pl.MpDeviceLoader(loader, device, input_sharding=xs.ShardingSpec(mesh, ("data", None))):
    optimizer.zero_grad()
    model(x).mean().backward()
    optimizer.step()

for (x,) in loader:
    x = x.to(device)
    xs.mark_sharding(x, mesh, ("data", None))
    optimizer.zero_grad()
    model(x).mean().backward()
    optimizer.step()
    torch_xla.sync()
