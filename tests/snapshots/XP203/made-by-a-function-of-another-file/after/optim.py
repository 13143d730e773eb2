import torch


def parameters_of(net, lr):
    return [{"params": [p for p in net.parameters() if p.requires_grad], "lr": lr}]


def get_optimizer(net, lr):
    if lr > 1:
        return torch.optim.SGD(parameters_of(net, lr), lr=lr)
    return torch.optim.Adam(net.parameters(), lr=lr)


def count(net):
    return sum(p.numel() for p in net.parameters())
