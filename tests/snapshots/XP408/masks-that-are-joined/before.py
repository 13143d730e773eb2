"""A mask made of masks selects, an index made of places does not."""

import torch

device = torch.device("cuda")


def chosen(t):
    j, k = ((t[:, 2:4] % 1 < 0.5) & (t[:, 2:4] > 1)).T
    both = torch.stack((torch.ones_like(j), j, k))
    return t.repeat((3, 1, 1))[both]


def picked(t):
    first, second = t[:, 2:4].long().T
    return t[torch.cat((first, second))]


model = torch.nn.Linear(8, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(20):
    x = torch.randn(4, 8).to(device)
    loss = model(x).pow(2).mean() + chosen(x).mean() + picked(x).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
