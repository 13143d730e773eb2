import torch
from torch import nn

SHARED = None


class Block(nn.Module):
    def __init__(self):
        global SHARED
        super().__init__()
        self.out = nn.Linear(4, 4)
        if SHARED is None:
            SHARED = self.out.weight
        self.out.weight = SHARED

    def forward(self, x):
        return self.out(x)


net = nn.Sequential(Block(), Block()).to(torch.device("cuda"))
