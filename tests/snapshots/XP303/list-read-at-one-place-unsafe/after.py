import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("xla")
model = nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(torch.zeros(8, 4), batch_size=2)

for epoch in range(2):
    values = []
    shares = []
    flags = []
    for x in loader:
        out = model(x.to(device))
        out.mean().backward()
        optimizer.step()
        values.append(out.mean().detach())
        shares += [(out > 0).float().mean()]
        flags.append((out > 0).any())
    print(np.mean([value.item() for value in values]))
    print(np.mean([value.item() for value in shares]) if shares else 0)
    print(np.mean([float(value) for value in flags]))
