import torch
from torch import nn
from torch.utils.data import DataLoader


def endless(data, size):
    while True:
        yield from DataLoader(data, shuffle=True, batch_size=size)


model = nn.Linear(4, 2).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
batches = iter(endless(torch.zeros(10, 4), 4))
for _ in range(100):
    loss = model(next(batches).cuda()).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
