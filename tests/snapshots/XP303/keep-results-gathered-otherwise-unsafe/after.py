import torch
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("xla")
model = nn.Linear(4, 3).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(torch.zeros(8, 4), batch_size=2)


def as_a_whole(x, optimize=True):
    out = model(x.to(device))
    loss = out.mean()
    if optimize:
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return loss.item(), len(x), float((out > 0).sum().item())


def computed(x, optimize=True):
    out = model(x.to(device))
    loss = out.mean()
    if optimize:
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return loss.item(), len(x), float((out > 0).sum().item())


def by_one_name(x, optimize=True):
    out = model(x.to(device))
    loss = out.mean()
    if optimize:
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return loss.item(), len(x), float((out > 0).sum().item())


def in_each_step(x, optimize=True):
    out = model(x.to(device))
    loss = out.mean()
    if optimize:
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return loss.item(), len(x), float((out > 0).sum().item())


def another_zip(x, optimize=True):
    out = model(x.to(device))
    loss = out.mean()
    if optimize:
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return loss.item(), len(x), float((out > 0).sum().item())


def with_more(x, optimize=True):
    out = model(x.to(device))
    loss = out.mean()
    if optimize:
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return loss.item(), len(x), float((out > 0).sum().item())


def each_step(x):
    as_a_whole(x)
    losses, sizes, hits = zip(*[in_each_step(x, False) for x in loader])
    return sizes


def main(zipped):
    for x in loader:
        as_a_whole(x)
        computed(x)
        by_one_name(x)
        in_each_step(x)
        another_zip(x)
        with_more(x)
        each_step(x)
    results = zip(*[as_a_whole(x) for x in loader])
    losses, sizes, hits = zip(*[computed(x)[:2] for x in loader])
    losses, losses, sizes = zip(*[by_one_name(x) for x in loader])
    losses, sizes, hits = zipped(*[another_zip(x) for x in loader])
    losses, *others = zip(*[with_more(x) for x in loader])
    return results, others, hits


main(zip)
