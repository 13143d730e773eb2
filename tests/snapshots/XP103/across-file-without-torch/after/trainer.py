import torch


class Trainer:
    def __init__(self, device):
        self.device = torch.device(device)

    def fit(self):
        return torch.zeros(3, device=self.device)
