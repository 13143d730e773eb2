import torch
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler, SequentialSampler, WeightedRandomSampler

from mine import MySampler


def train(data, weights):
    model = nn.Linear(4, 2).cuda()
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    told = DistributedSampler(data)
    untold = DistributedSampler(data)
    anew = DataLoader(data, 32, sampler=told)
    same = DataLoader(data, 32, sampler=untold)
    ordered = DataLoader(data, 32, sampler=DistributedSampler(data, shuffle=False))
    inline = DataLoader(data, 32, sampler=DistributedSampler(data))
    weighted = DataLoader(data, 32, sampler=WeightedRandomSampler(weights, 100))
    from_first = DataLoader(data, 32, sampler=SequentialSampler(data))
    unknown = DataLoader(data, 32, sampler=MySampler(data))

    def step(x):
        opt.zero_grad()
        model(x.cuda()).sum().backward()
        opt.step()

    for epoch in range(3):
        told.set_epoch(epoch)
        for x in anew:
            step(x)
        for x in same:
            step(x)
        for x in ordered:
            step(x)
        for x in inline:
            step(x)
        for x in weighted:
            step(x)
        for x in from_first:
            step(x)
        for x in unknown:
            step(x)
