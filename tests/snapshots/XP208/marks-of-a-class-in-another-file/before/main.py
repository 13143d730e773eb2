import torch

from net import Net


def groups(model):
    found = {}
    for p in model.parameters():
        found.setdefault(p.param_group, []).append(p)
    return [{"params": params} for params in found.values()]


net = Net().to(torch.device("cuda"))
optimizer = torch.optim.Adam(groups(net))
