import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("xla")
model = nn.Linear(4, 3).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(torch.zeros(8, 4), batch_size=2)

floats = [0.0] * len(loader)
doubles = [0.0] * len(loader)
integers = [0] * len(loader)
for i, x in enumerate(loader):
    out = model(x.to(device))
    out.mean().backward()
    optimizer.step()
    floats[i] = (out > 0).sum()
    doubles[i] = (out > 0).sum()
    integers[i] = (out > 0).sum()
floats = torch.tensor([float(value) for value in floats])
doubles = np.array([float(value) for value in doubles])
integers = np.array([int(value) for value in integers], dtype=np.int64)
print(floats.mean(), doubles, integers)
