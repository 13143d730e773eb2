import torch
from torch import nn


def train(loader, model, optimizer, opt):
    if opt.gpu is not None:
        model = model.cuda(opt.gpu)
    for x, y in loader:
        if opt.gpu is not None:
            x = x.cuda(opt.gpu, non_blocking=True)
            y = y.cuda(opt.gpu, non_blocking=True)
        loss = nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
