import torch_xla.distributed.parallel_loader as pl
from mine import ParallelLoader

for x in pl.MpDeviceLoader(loader, device):
    model(x)
for x in ParallelLoader(loader, [device]).per_device_loader(device):
    model(x)
