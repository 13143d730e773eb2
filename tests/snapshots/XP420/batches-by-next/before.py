import torch
from torch import nn
from torch.utils.data import DataLoader


def endless(data, size):
    while True:
        yield from DataLoader(data, shuffle=True, batch_size=size)


model = nn.Linear(4, 2).to("xla")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
batches = iter(endless(torch.zeros(10, 4), 4))
again = iter(DataLoader(torch.zeros(10, 4), batch_size=4, shuffle=True))
for _ in range(100):
    loss = model(next(batches).to("xla")).sum()
    try:
        loss = loss + model(next(again).to("xla")).sum()
    except StopIteration:
        break
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
