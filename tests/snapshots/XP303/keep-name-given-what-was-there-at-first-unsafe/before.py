import torch
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("xla")
model = nn.Linear(4, 3).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
last = None
cost = 0.0
for i, x in enumerate(DataLoader(torch.zeros(8, 4))):
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()
    previous = last
    last = loss.item()
    double = cost * 2
    cost = loss.item()
    if i % 10 == 0:
        # In the first pass these are None and 0.0, which have no .item().
        print(previous, double)
