import torch
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler
from tqdm import tqdm


def loaders(data, args):
    options = {"batch_size": args.batch_size, "num_workers": 2}
    return DataLoader(data, shuffle=True, **options), DataLoader(data, **options)


def train(data, args):
    model = nn.Linear(4, 2).cuda()
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    train_loader, val_loader = loaders(data, args)
    ordered = DataLoader(data, 32)
    sampled = DataLoader(data, 32, sampler=DistributedSampler(data))
    for epoch in range(3):
        for i, x in enumerate(tqdm(train_loader)):
            opt.zero_grad()
            model(x.cuda()).sum().backward()
            opt.step()
        for x in ordered:
            opt.zero_grad()
            model(x.cuda()).sum().backward()
            opt.step()
        for x in sampled:
            opt.zero_grad()
            model(x.cuda()).sum().backward()
            opt.step()
        with torch.no_grad():
            for x in val_loader:
                print(model(x.cuda()).sum())
