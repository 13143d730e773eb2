import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("cuda")
model = nn.Linear(4, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
best = 3.0

for step, x in enumerate(DataLoader(torch.zeros(8, 4))):
    if torch.isnan(x).any():
        continue
    array = np.random.rand(4)
    if (array > 0.5).any() or np.isnan(array).any():
        continue
    out = model(x.to(device))
    if out.dim() > 1 and out.size(0) > 1 and out.dtype == torch.float32 and out.requires_grad:
        out = out.sum(0)
    for i in range(out.size(0)):
        out = out + i
    assert out.shape[-1] == 4
    if best is not None and out is not None:
        out.mean().backward()
    optimizer.step()
