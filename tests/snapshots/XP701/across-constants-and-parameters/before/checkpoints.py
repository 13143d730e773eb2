import torch


def load(path, location="cpu"):
    return torch.load(path, map_location=location)


def load_to_host(path, location="cpu"):
    return torch.load(path, map_location=location)


class Saver:
    def __init__(self, device):
        self.device = device

    def restore(self, path):
        return torch.load(path, map_location=self.device)
