import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Embedding(10, 4)
        self.decoder = nn.Linear(4, 10)
        self.decoder.weight = self.encoder.weight

    def forward(self, x):
        return self.decoder(self.encoder(x))


def build(path, device):
    model = Model()
    model.load_state_dict(torch.load(path, map_location="cpu"))
    return model.to(device).eval(), path


def make(device):
    return Model().to(device)


def both(device):
    model = Model()
    return model.to(device), list(model.parameters())
