import torch
import torch_xla
from torch import nn


def train(loader, model, optimizer, opt):
    if opt.gpu is not None:
        model = model.to(torch_xla.device())
    for x, y in loader:
        if opt.gpu is not None:
            x = x.to(torch_xla.device())
            y = y.to(torch_xla.device())
        loss = nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
