import torch
from torch import nn
from torch.utils.data import DataLoader
import torch.nn.functional as F
import sys


def build(model, name):
    match name:
        case "sgd":
            return torch.optim.SGD(model.parameters(), lr=0.1)
        case "adam" | "adamw":
            return torch.optim.AdamW(model.parameters())
        case _:
            raise ValueError(name)


def prep(model, where):
    match where:
        case {"device": dev}:
            return model.to(dev)
        case str() as dev:
            return model.to(dev)


model = nn.Linear(4, 1)
opt = build(model, sys.argv[1])
prep(model, {"device": "cuda"})
for x in DataLoader(torch.randn(32, 4), batch_size=4):
    loss = model(x.cuda()).mean()
    match loss.item():
        case v if v != v:
            continue
        case v:
            print(v)
    opt.zero_grad()
    loss.backward()
    opt.step()
