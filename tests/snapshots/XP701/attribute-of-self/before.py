import torch


class Trainer:
    def __init__(self):
        self.device = torch.device("cuda")

    def load(self, path):
        return torch.load(path, map_location=self.device)
