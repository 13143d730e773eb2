import torch


def step(x, y, args):
    x, y = x.cuda(non_blocking=True), y.cuda(args.gpu, non_blocking=True)
    return x, y
