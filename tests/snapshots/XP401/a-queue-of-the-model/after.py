import torch
from torch import nn


class Queue(nn.Module):
    def __init__(self, encoder, size=4096):
        super().__init__()
        self.encoder = encoder
        self.keys = torch.zeros(size, 8, device="cuda")
        self.size = size
        self.place = 0

    def forward(self, x):
        out = torch.tanh(x)
        self.keys[self.place : self.place + 32] = out
        self.place = (self.place + 32) % self.size
        return out @ self.keys.t()
