import torch
from torch import nn
import torch_xla
import torch_xla.distributed.spmd as xs
import torch_xla.runtime as xr

xr.use_spmd()
mesh = xs.get_1d_mesh("fsdp")
net = nn.Sequential(nn.Linear(8, 8), nn.Linear(8, 8))
for layer in net:
    layer.to(torch_xla.device())
    for p in layer.parameters():
        xs.mark_sharding(p, mesh, ("fsdp",) + (None,) * (p.dim() - 1))
