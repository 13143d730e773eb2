import torch
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("xla")
model = nn.Linear(4, 3).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(torch.zeros(8, 4), batch_size=2)

from numpy import zeros

table = torch.zeros(2, len(loader))
shape = (len(loader),)
shaped = torch.zeros(shape)
imported = zeros(len(loader))
filled = torch.zeros(len(loader))
flat = torch.zeros(len(loader))
seen = torch.zeros(len(loader))
for i, x in enumerate(loader):
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()
    table[0, i] = loss.item()
    shaped[i] = loss.item()
    imported[i] = loss.item()
    filled[i] = loss.item()
    filled[i] = 0
    flat[i:] = loss.item()
    seen[i] = loss.item()
    if seen[: i + 1].mean() > 3:
        break
print(table, shaped, imported, filled, flat, seen)
