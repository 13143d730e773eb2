import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("xla")
model = nn.Linear(4, 3).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(torch.zeros(8, 4), batch_size=2)

floats = torch.zeros(len(loader))
doubles = np.zeros(len(loader))
integers = np.zeros(len(loader), dtype=np.int64)
for i, x in enumerate(loader):
    out = model(x.to(device))
    out.mean().backward()
    optimizer.step()
    floats[i] = (out > 0).sum().item()
    doubles[i] = (out > 0).sum().item()
    integers[i] = (out > 0).sum().item()
print(floats.mean(), doubles, integers)
