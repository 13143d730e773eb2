import torch
from torch import nn


def attack(loader):
    model = nn.Linear(8, 8).cuda()
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for x in loader:
        x = model(x.cuda()).detach().requires_grad_()
        cost = model(x).sum(-1)
        norm = x.norm(dim=-1)
        good = norm != 0
        cost = cost * 1
        # What was selected before has to be computed for all places, too.
        alpha = norm[good] * 2
        cost[good] = -alpha * x[:, 0][good]
        # The mask guards the division.
        cost[good] /= norm[good]
        cost.sum().backward()
        opt.step()
