import torch


def check(args):
    return args.count and torch.version.cuda is None
