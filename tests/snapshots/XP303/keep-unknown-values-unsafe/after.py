import torch
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("xla")
model = nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(torch.zeros(8, 4), batch_size=2)

import mystery

total = count = first = 0.0
for x in loader:
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()
    total += mystery.accuracy(x).item()
    count += mystery.logits(loss.detach()).item()
    first += model(x.to(device))[0, 0].item()
print(total, count, first)
