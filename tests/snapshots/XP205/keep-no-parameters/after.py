import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        self.inner = nn.Linear(4, 4)
        self.bias = self.config.bias
        self.use_bias = config.use_bias
        self.weight_decay = self.config.weight_decay
        self.out_features = self.inner.out_features
        self.weight = None


class Options:
    def __init__(self, other):
        self.weight = other.weight
        self.copy = self.weight


model = Attention(None).to("cuda")
