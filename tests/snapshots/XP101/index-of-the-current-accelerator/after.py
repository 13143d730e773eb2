import torch_xla


def setup(rank):
    acc = torch_xla.device()
    device = torch_xla.device()
    return torch_xla.device(), device


class Trainer:
    def __init__(self, rank):
        self.acc = torch_xla.device()
        self.device = torch_xla.device()
