import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.query = nn.Linear(4, 4)

    def forward(self, x, keys):
        scores = torch.matmul(self.query(x), keys.transpose(1, 2))
        scores.masked_fill_(scores < -3, -1e9)
        return scores.softmax(-1)
