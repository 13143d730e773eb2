import torch
from torch import nn
from torch.utils.data import BatchSampler, DataLoader, RandomSampler


def train(data, args, other):
    model = nn.Linear(4, 2).cuda()
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    whole = DataLoader(data, batch_size=64, shuffle=True, drop_last=True)
    chosen = DataLoader(data, batch_size=64, drop_last=args.drop_last)
    single = DataLoader(data, shuffle=True)
    one = DataLoader(data, batch_size=1)
    all_of_it = DataLoader(data, batch_size=len(data))
    by_itself = DataLoader(data, batch_size=None)
    sampled = DataLoader(data, batch_sampler=BatchSampler(RandomSampler(data), 8, True))
    for loader in (whole, chosen, single, one, all_of_it, by_itself, sampled):
        for x in loader:
            opt.zero_grad()
            model(x.cuda()).sum().backward()
            opt.step()
    for x in whole:
        opt.zero_grad()
        model(x.cuda()).sum().backward()
        opt.step()
    for x in chosen:
        opt.zero_grad()
        model(x.cuda()).sum().backward()
        opt.step()
    for x in all_of_it:
        opt.zero_grad()
        model(x.cuda()).sum().backward()
        opt.step()
    for x in sampled:
        opt.zero_grad()
        model(x.cuda()).sum().backward()
        opt.step()
    # What it is made of, nobody sees.
    for x in other:
        opt.zero_grad()
        model(x.cuda()).sum().backward()
        opt.step()
    with torch.no_grad():
        for x in DataLoader(data, batch_size=64):
            print(model(x.cuda()).sum())
