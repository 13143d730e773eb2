import torch


def smooth(out, target):
    return torch.logsumexp(torch.stack(torch.broadcast_tensors(out, target)), 0).mean()


def unused(values):
    return torch.median(values)
