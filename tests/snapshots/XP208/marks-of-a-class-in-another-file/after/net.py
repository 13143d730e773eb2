import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Linear(4, 4)
        self.decoder = nn.Linear(4, 4)
        for p in self.encoder.parameters():
            p.param_group = "encoder"
        for p in self.decoder.parameters():
            p.param_group = "decoder"
