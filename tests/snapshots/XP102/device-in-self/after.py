import torch
import torch_xla


class Trainer:
    def __init__(self):
        self.device = torch.device("cuda")

    def step(self, x):
        return x.to(torch_xla.device())
