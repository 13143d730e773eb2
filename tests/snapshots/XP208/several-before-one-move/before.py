import torch
from torch import nn


def main(device):
    model = nn.Linear(2, 2)
    handle = model.weight.register_hook(print)
    model.weight.no_decay = True
    for name, p in model.named_parameters():
        p.label = name
    params = list(model.parameters())
    shapes = [p.shape for p in model.parameters()]
    model.to(device)
    return params, handle, shapes
