import torch
import torch_xla
from torch import nn


def make(args):
    model = nn.Linear(4, 2)
    if args.gpu is not None:
        model = model.to(torch_xla.device())
    else:
        model = nn.DataParallel(model).to(torch_xla.device())
    return model


def train(loader, model, optimizer, opt):
    for x, index, y in loader:
        x = x.to(torch_xla.device())
        index = index.to(torch_xla.device())
        y = y.to(torch_xla.device())
        loss = nn.functional.cross_entropy(model(x, index), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
