"""Looking for NaN: what the host knows is asked first; what is NaN once stays so in a training alone."""

import torch
from torch import nn
from torch.utils.data import DataLoader

DEBUG = False
model = nn.Linear(4, 2).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def rendered(x):
    y = model(x)
    if DEBUG and (torch.isnan(y).any() or torch.isinf(y).any()):
        print("numerical error")
    return y


@torch.no_grad()
def evaluate(loader):
    total = 0.0
    for x in loader:
        total += rendered(x.cuda()).sum()
    return total


for x in DataLoader(torch.zeros(64, 4), batch_size=8):
    loss = model(x.cuda()).sum()
    if torch.isnan(loss):
        raise RuntimeError("the loss is NaN")
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(evaluate(DataLoader(torch.zeros(64, 4), batch_size=8)))
