import torch
import torch_xla
import torch_xla.distributed.parallel_loader as pl
import torch_xla.distributed.spmd as xs
import torch_xla.runtime as xr
from torch.utils.data import DataLoader, TensorDataset

xr.use_spmd()
mesh = xs.get_1d_mesh("data")
device = torch_xla.device()
known = DataLoader(TensorDataset(torch.randint(0, 9, (64, 12)), torch.zeros(64)), batch_size=8)
for ids, label in pl.MpDeviceLoader(known, device, input_sharding=xs.ShardingSpec(xs.get_1d_mesh("data"), ("data", None))):
    print(ids, label)


def each(loader):
    for batch in pl.MpDeviceLoader(loader, device):
        print(batch)
