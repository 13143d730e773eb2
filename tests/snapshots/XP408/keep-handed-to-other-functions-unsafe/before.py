import sys

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda")
model = nn.Linear(4, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(TensorDataset(torch.randn(64, 4), torch.randn(64, 4)), batch_size=8)
weight = torch.rand(4, device=device)


def squared(a, b):
    return ((a - b) ** 2).mean()


def above_zero(a, b):
    return ((a - b) ** 2 + 1).mean()


def of_exponents(a, b):
    return ((a - b).exp() - 1).mean()


def largest(a, b):
    return (a - b).abs().max()


def root(a, b):
    return (a - b).norm()


def counted(a, b):
    n = len(a)
    return ((a - b) ** 2).sum() / n


def shown(a, b):
    print(len(a))
    return ((a - b) ** 2).mean()


def weighted(a, b):
    return (weight * (a - b) ** 2).mean()


def of_rows(a, b):
    return (a - b).mean(-1).sum()


def normed(a, b):
    return ((a - a.mean()) * (b - b.mean())).mean()


def of_times(a, b, times):
    return (a * b * times).mean()


@torch.compile
def compiled(a, b):
    return ((a - b) ** 2).mean()


either = squared if len(sys.argv) > 1 else largest
either_reduction = squared if len(sys.argv) > 1 else lambda a, b: ((a - b) ** 2).sum()
unknown = squared if len(sys.argv) > 1 else load(sys.argv[1])

for inputs, targets in loader:
    inputs, targets = inputs.to(device), targets.to(device)
    x = model(inputs)
    t = targets.reshape(-1, 4)
    loss = above_zero(x[t > 0], t[t > 0])
    loss = loss + of_exponents(x[t > 1], t[t > 1])
    loss = loss + largest(x[t > 2], t[t > 2])
    loss = loss + root(x[t > 3], t[t > 3])
    loss = loss + counted(x[t > 4], t[t > 4])
    loss = loss + shown(x[t > 5], t[t > 5])
    loss = loss + weighted(x[t > 6], t[t > 6])
    loss = loss + of_rows(x[t > 7], t[t > 7])
    loss = loss + normed(x[t > 8], t[t > 8])
    loss = loss + squared(x[t > 9], t[t < 9])
    loss = loss + squared(x[t > 10], t.flatten())
    loss = loss + either(x[t > 11], t[t > 11])
    loss = loss + either_reduction(x[t > 12], t[t > 12])
    loss = loss + unknown(x[t > 13], t[t > 13])
    kept, wanted = x[t > 14], t[t > 14]
    loss = loss + squared(kept, wanted)
    taken = x[t > 15]
    loss = loss + squared(taken, t[t > 15]) + taken.std()
    loss = loss + of_times(x[t > 16], t[t > 16], targets)
    loss = loss + compiled(x[t > 18], t[t > 18])
    loss = loss + squared(x[t > 19], x[(t > 19).nonzero()])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
