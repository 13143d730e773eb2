import torch


def noise(mu):
    device = torch.device("cuda") if mu.is_xla else torch.device("cpu")
    return torch.randn(mu.shape, device=device) + mu


def mask(x, y):
    if x.is_xla:
        y = y.cuda()
    return x * y
