import torch


class Trainer:
    def __init__(self):
        self.device = torch.device("cuda")

    def step(self, x):
        return x.to(self.device)
