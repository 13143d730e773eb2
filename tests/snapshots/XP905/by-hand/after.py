import torch_xla.distributed.parallel_loader as pl

once = pl.ParallelLoader(loader, [device])
for epoch in range(3):
    for x in once.per_device_loader(device):
        model(x)

several = pl.ParallelLoader(loader, devices)
for x in several.per_device_loader(devices[0]):
    model(x)

other = pl.ParallelLoader(loader, [device])
for x in other.per_device_loader(second):
    model(x)

closed = pl.ParallelLoader(loader, [device])
for x in closed.per_device_loader(device):
    model(x)
closed.close()


class Trainer:
    def __init__(self, loader):
        self.loader = pl.ParallelLoader(loader, [device])


def wrapped(loader, **options):
    return pl.ParallelLoader(loader, [device], **options)
