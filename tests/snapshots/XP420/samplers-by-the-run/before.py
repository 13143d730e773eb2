import torch
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler, RandomSampler, SequentialSampler


def loader_of(data, alone):
    sampler = RandomSampler(data) if alone else DistributedSampler(data)
    return DataLoader(data, 32, sampler=sampler)


def train(data, alone, ordered):
    model = nn.Linear(4, 2).cuda()
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    chosen = RandomSampler(data) if alone else DistributedSampler(data)
    by_choice = DataLoader(data, 32, sampler=chosen)
    shared = None
    if not alone:
        shared = DistributedSampler(data)
    shuffled = DataLoader(data, 32, sampler=shared, shuffle=shared is None)
    in_order = DataLoader(data, 32, sampler=shared)
    if ordered:
        fixed = SequentialSampler(data)
    else:
        fixed = DistributedSampler(data, shuffle=False)
    evenly = DataLoader(data, 32, sampler=fixed)
    elsewhere = loader_of(data, alone)

    def step(x):
        opt.zero_grad()
        model(x.cuda()).sum().backward()
        opt.step()

    for number, _ in enumerate(range(3)):
        for x in by_choice:
            step(x)
        for x in shuffled:
            step(x)
    for _ in range(3):
        for x in in_order:
            step(x)
        for x in evenly:
            step(x)
        for x in elsewhere:
            step(x)
