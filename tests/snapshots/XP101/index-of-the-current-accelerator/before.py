import torch


def setup(rank):
    acc = torch.accelerator.current_accelerator()
    device = torch.device(f"{acc}:{rank}")
    return torch.device(f"{acc}:0"), device


class Trainer:
    def __init__(self, rank):
        self.acc = torch.accelerator.current_accelerator()
        self.device = torch.device(f"{self.acc}:{rank}")
