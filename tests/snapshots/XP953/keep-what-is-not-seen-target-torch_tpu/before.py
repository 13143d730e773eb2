import torch_xla
import torch_xla.distributed.parallel_loader as pl
import trainer

device = torch_xla.device()
trainer.fit(pl.MpDeviceLoader(loader, device))
for batch in pl.MpDeviceLoader(loader, device):
    trainer.step(batch)
sums = [x.sum() for x in pl.MpDeviceLoader(loader, device)]
for x, y in zip(pl.MpDeviceLoader(loader, device), other):
    print(x, y)
first = next(iter(pl.MpDeviceLoader(loader, device)))
for x, *rest in pl.MpDeviceLoader(loader, device, input_sharding=sharding):
    print(x, rest)
