import math

import torch
from torch import nn
from torch.utils.data import DataLoader


def train(data, args, evaluate):
    model = nn.Linear(4, 2).cuda()
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    whole = len(data) // args.size
    all_of_them = math.ceil(len(data) / args.size)

    def step(x):
        opt.zero_grad()
        model(x.cuda()).sum().backward()
        opt.step()

    done = 0
    for epoch in range(3):
        # Left before the smaller one.
        for x in DataLoader(data, args.size, shuffle=True):
            if done == (epoch + 1) * whole:
                break
            done += 1
            step(x)
        # Left after it, or only now and then before it.
        for i, x in enumerate(DataLoader(data, args.size, shuffle=True)):
            if i > whole:
                break
            step(x)
        for i, x in enumerate(DataLoader(data, args.size, shuffle=True)):
            if args.short and i == whole:
                break
            step(x)
        for i, x in enumerate(DataLoader(data, args.size, shuffle=True), 1):
            step(x)
            if i == all_of_them:
                evaluate(model)
