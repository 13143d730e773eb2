# No guard, and the device is used as the file is read.
import sys

from torch.utils.data import DataLoader
from torchvision.datasets import MNIST
from torchvision.transforms import ToTensor
import torch_xla
import torch_xla.distributed.parallel_loader as pl
import torch
import torch_xla.distributed.spmd as xs
import torch_xla.runtime as xr

xr.use_spmd()


class ShardedByBatch(xs.ShardingSpec):
    """Divides each tensor of a batch over the devices by its first dimension."""

    def xla_spec(self, t):
        by_dimension = ("data",) + (None,) * (t.dim() - 1)
        return xs.ShardingSpec(self.mesh, by_dimension).xla_spec(t)


device = torch_xla.device()
model = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(784, 10)).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(MNIST(sys.argv[1], transform=ToTensor()), batch_size=64, num_workers=2)
for x, y in pl.MpDeviceLoader(loader, device, input_sharding=ShardedByBatch(xs.get_1d_mesh("data"), ("data",))):
    loss = torch.nn.functional.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
