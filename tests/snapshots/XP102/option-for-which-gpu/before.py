import torch
from torch import nn


def make(args):
    model = nn.Linear(4, 2)
    if args.gpu is not None:
        model = model.cuda(args.gpu)
    else:
        model = nn.DataParallel(model).cuda()
    return model


def train(loader, model, optimizer, opt):
    for x, index, y in loader:
        if opt.gpu is not None:
            x = x.cuda(opt.gpu, non_blocking=True)
        if opt.gpu is not None:
            index = index.cuda(opt.gpu, non_blocking=True)
        else:
            index = index.cuda()
        y = y.cuda(opt.gpu, non_blocking=True)
        loss = nn.functional.cross_entropy(model(x, index), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
