import torch

from models import Model


def build(tied):
    return Model(tied)


model = build(True)
optimizer = torch.optim.Adam(model.parameters())
was_tied = model.out.weight is model.emb.weight
model.to(torch.device("cuda"))
if was_tied:
    model.out.weight = model.emb.weight
