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


model = nn.DataParallel(Model()).cuda()
model.module.decoder.weight = model.module.encoder.weight
other = nn.DataParallel(Model().cuda())
other.module.decoder.weight = other.module.encoder.weight
inner = Model()
third = nn.DataParallel(inner)
third.cuda()
third.module.decoder.weight = third.module.encoder.weight
