import torch


def noise(mu):
    device = torch.device("cuda") if mu.is_cuda else torch.device("cpu")
    return torch.randn(mu.shape, device=device) + mu


def mask(x, y):
    if x.is_cuda:
        y = y.cuda()
    return x * y
