import torch
from torch import nn
from fairseq.modules import TransformerEncoder


class Encoder(nn.Module):
    def forward(self, src, mask):
        return src * mask


class Model(nn.Module):
    def __init__(self, encoder=None):
        super().__init__()
        self.encoder = Encoder()
        self.other = TransformerEncoder(16)
        self.given = encoder

    def forward(self, src, mask):
        src = self.encoder(src, mask)
        return self.given(self.other(src, mask), mask)


model = Model().to("xla")
