import torch
from torch import nn


class Penalty(nn.Module):
    def __init__(self):
        super().__init__()
        self.network = nn.Linear(4, 2)

    def update(self, batches):
        device = "cuda" if batches[0][0].is_cuda else "cpu"
        return sum(self.network(x).mean() for x, _ in batches)

    def show(self, batches):
        where = "cuda" if batches[0][0].is_cuda else "cpu"
        return self.elsewhere(where)
