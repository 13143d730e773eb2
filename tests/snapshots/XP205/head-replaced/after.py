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


def main(classes):
    model = Model()
    if classes:
        model.decoder = nn.Linear(4, classes)
    was_tied = model.decoder.weight is model.encoder.weight
    model.to("cuda")
    if was_tied:
        model.decoder.weight = model.encoder.weight


def tied(classes):
    model = Model()
    model.decoder = nn.Linear(4, classes)
    was_tied = model.decoder.weight is model.encoder.weight
    net = model.cuda()
    if was_tied:
        net.decoder.weight = net.encoder.weight
