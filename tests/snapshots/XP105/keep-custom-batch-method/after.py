import torch


class Batch:
    def __init__(self, x):
        self.x = x

    def pin_memory(self):
        return self


def collate(rows):
    return Batch(torch.stack(rows))
