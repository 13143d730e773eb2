import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(4, 4).to(device)


class Tree:
    def __init__(self, leaves, is_good):
        self.leaves = leaves
        self.is_good = is_good


@torch.no_grad()
def resampled(x, times):
    good = torch.zeros(8, dtype=torch.bool, device=device)
    for n in range(times):
        drawn = model(x)
        bad = ~good
        x[bad] = drawn[bad]
        high = x.amax(1) > 2
        above = x[high].sum()
        good = x.sum(1) > above
        if good.all():
            break
    return x, above


@torch.no_grad()
def grown(x, times):
    for n in range(times):
        x = model(x)
        tree = Tree(x, x > 0)
        if tree.leaves.amin() > 2:
            break
    return tree


@torch.no_grad()
def redrawn(x, times):
    good = torch.zeros(8, dtype=torch.bool, device=device)
    for n in range(times):
        drawn = model(x)
        bad = ~good
        x[bad] = drawn[bad]  # a choice
        good = x.sum(1) > 2
        if good.all():
            break
    return x


for x in torch.utils.data.DataLoader(torch.zeros(64, 4), batch_size=8):
    print(resampled(x.to(device), 9), grown(x.to(device), 9), redrawn(x.to(device), 9))
