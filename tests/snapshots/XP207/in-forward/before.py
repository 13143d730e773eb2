import torch
import torch_xla
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Linear(4, 4)
        self.decoder = nn.Linear(4, 4)

    def forward(self, x):
        x = self.encoder(x)
        torch_xla.sync()
        return self.decoder(x)


class Sampler(nn.Module):
    def __init__(self):
        super().__init__()
        self.decoder = nn.Linear(4, 4)

    def forward(self, x):
        x = self.decoder(x)
        # The end of what this forward() does: whether more belongs to the step, nobody sees here.
        torch_xla.sync()
        return x
