import itertools

import torch
import torch_xla
from torch.utils.data import DataLoader


class Trainer:
    def __init__(self, data):
        self.device = torch_xla.device()
        self.loader = DataLoader(data)

    def run(self):
        self.epoch(self.loader)

    def epoch(self, loader):
        for image, label in itertools.islice(loader, 10):
            image = image.to(self.device)
            label = label.to(self.device)
            print(image, label)


def main(data):
    device = torch_xla.device()
    batches = DataLoader(data)

    def epoch():
        for image, label in batches:
            image = image.to(device)
            label = label.to(device)
            print(image, label)

    epoch()


main([])
