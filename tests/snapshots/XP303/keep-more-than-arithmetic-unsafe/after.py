import torch
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("xla")
model = nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(torch.zeros(8, 4), batch_size=2)

import math

rounded = perplexity = whole = weighted = 0.0
weights = torch.ones((), device=device)
for x in loader:
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()
    rounded += round(loss.item(), 4)
    perplexity += math.exp(loss.item())
    whole += int(loss)
    weighted += loss.item() * weights
print(rounded, perplexity, whole, weighted)
