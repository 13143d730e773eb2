import torch
import torch_xla.distributed.parallel_loader as pl
import trainer
from torch.utils.data import DataLoader


def make(data, device):
    return pl.MpDeviceLoader(DataLoader(data), device)


def main(data, device):
    loader = make(data, device)
    for x, y in loader:
        print(x, y)
    trainer.evaluate(model=None, loader=loader)


class Run:
    def __init__(self, data, device):
        self.loader = pl.ParallelLoader(DataLoader(data), [device])

    def epoch(self, device):
        for x, y in self.loader.per_device_loader(device):
            print(x, y)
        self.loader.close()


def kept(data, device):
    loader = pl.MpDeviceLoader(DataLoader(data), device)
    for x, y in loader:
        print(x, y)
    trainer.loader = loader


main([], torch.device("cpu"))
