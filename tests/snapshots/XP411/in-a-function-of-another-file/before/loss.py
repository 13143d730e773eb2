import torch


def smooth(out, target):
    return torch.logaddexp(out, target).mean()


def unused(values):
    return torch.median(values)
