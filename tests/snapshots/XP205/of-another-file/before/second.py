import torch

from models import Model


def build(tied):
    return Model(tied)


model = build(True)
optimizer = torch.optim.Adam(model.parameters())
model.to(torch.device("cuda"))
