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


class Trainer:
    def __init__(self, device):
        self.model = Model()
        self.device = device

    def train(self):
        self.model = self.model.to(self.device)
        self.model.decoder.weight = self.model.encoder.weight
        self.optimizer = torch.optim.Adam(self.model.parameters())


def train(model, device):
    model.to(device)
    model.decoder.weight = model.encoder.weight


train(Model(), torch.device("cuda"))
