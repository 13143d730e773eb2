import torch
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("cuda")
model = nn.Linear(4, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def part(x):
    near = x < 1.0
    total, count = ((1.0 - x) * near).sum(), near.sum()
    mean = 0 if near.sum() == 0 else total / count
    square = x.pow(2).sum()
    if square > 0:
        length = square.sqrt()
    else:
        length = square
    if x.max() > 2:
        mean = mean + x.clamp(min=0).amin(1).log().sum() + (x.sum() / (x.abs().sum() + 1e-6)) ** 2
    return mean + length


def without_harm(x):
    count = (x > 0).sum().clamp(min=1)
    mean = x.sum() / count if x.sum() > 1 else x.sum() / 4  # never by 0
    with torch.no_grad():
        share = 0.0 if count == 4 else 1 / x.sum()  # no gradient
    return mean * share


for x in DataLoader(torch.zeros(8, 4)):
    x = model(x.to(device))
    loss = part(x) + without_harm(x)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
