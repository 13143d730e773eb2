import torch
from torch import nn


class RNNModel(nn.Module):
    def __init__(self, tie_weights):
        super().__init__()
        self.encoder = nn.Embedding(10, 4)
        self.decoder = nn.Linear(4, 10)
        if tie_weights:
            self.decoder.weight = self.encoder.weight
