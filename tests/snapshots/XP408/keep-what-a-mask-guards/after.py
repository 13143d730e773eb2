import torch
from torch import nn


def train(loader):
    model = nn.Linear(8, 4).cuda()
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for x in loader:
        loss = model(x.cuda()).sum(-1)
        counts = (loss * 10).round()
        there = counts > 0
        mean = (loss[there] / counts[there].clamp(min=1)).mean()
        best = torch.log(loss[there]).topk(2).values.sum()
        opt.zero_grad()
        (mean + best).backward()
        opt.step()
