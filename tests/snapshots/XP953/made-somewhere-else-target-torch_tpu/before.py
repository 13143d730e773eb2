import itertools

import torch
import torch_xla
import torch_xla.distributed.parallel_loader as pl
from torch.utils.data import DataLoader


class Trainer:
    def __init__(self, data):
        self.device = torch_xla.device()
        self.loader = pl.MpDeviceLoader(DataLoader(data), self.device)

    def run(self):
        self.epoch(self.loader)

    def epoch(self, loader):
        for image, label in itertools.islice(loader, 10):
            print(image, label)


def main(data):
    device = torch_xla.device()
    batches = pl.MpDeviceLoader(DataLoader(data), device)

    def epoch():
        for image, label in batches:
            print(image, label)

    epoch()


main([])
