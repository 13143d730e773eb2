import torch
from torch import nn


def main(device):
    model = nn.Linear(2, 2).to(device)
    params = list(model.parameters())
    for p in params:
        p.register_hook(print)
    for p in model.parameters():
        p.mark = True
    return params
