import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(16, 2), num_layers=2)

    def forward(self, src, src_mask=None):
        return self.encoder(src, src_mask)


model = Model().to("xla")
