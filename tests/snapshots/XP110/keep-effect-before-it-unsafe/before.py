import torch
from torch import nn


def build(model, args):
    if args.parse() and torch.cuda.device_count() > 1:
        model = nn.DataParallel(model)
    return model
