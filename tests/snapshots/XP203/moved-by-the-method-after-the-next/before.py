import torch
from torch import nn

device = torch.device("cuda")


class Solver:
    def __init__(self):
        self.build()
        self.to_device()
    def build(self):
        self.G = nn.Linear(2, 2)
        self.opt = torch.optim.Adam(self.G.parameters(), .1)
    def to_device(self):
        self.G.to(device)
solver = Solver()
