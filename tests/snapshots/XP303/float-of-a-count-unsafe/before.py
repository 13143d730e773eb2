import torch
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("xla")
model = nn.Linear(4, 3).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(torch.zeros(8, 4), batch_size=2)


def step(x):
    out = model(x.to(device))
    loss = out.mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item(), float((out > 0).sum().item())


for i, x in enumerate(loader):
    out = model(x.to(device))
    loss = out.mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    hits = float((out > 0).sum())
    value, more = step(x)
    if i % 10 == 0:
        print(hits, more)
