import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 2)

    def is_cuda(self):
        return self.layer.bias.data.is_xla

    def encode(self, rows):
        batch = torch.tensor(rows)
        if self.is_cuda():
            batch = batch.cuda()
        return self.layer(batch)
