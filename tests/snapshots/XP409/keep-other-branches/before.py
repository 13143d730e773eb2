import numpy as np
import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(4, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
use_mask = True
repaired = 0
for batch in torch.randn(100, 8, 4, device=device):
    x = model(batch)
    bad = torch.isnan(x)
    other = torch.isinf(x)
    if bad.any():
        x = x.masked_fill(bad, 0.0)
        repaired += 1
    if bad.any():
        x = x.masked_fill(other, 0.0)  # another mask
    if bad.any():
        x = x.masked_fill(bad, 0.0)
    else:
        x = x * 2
    if use_mask or bad.any():
        x = x.masked_fill(bad, 0.0)
    if bad.all():
        x = x.masked_fill(bad, 0.0)
    if bad.any():
        y = x.masked_fill(bad, 0.0)  # y is made here
    if bad.any():
        x[bad] = x[~bad].max()
    if bad.any():
        bad[bad] = False
    if bad.any():
        x = torch.nan_to_num(x)
    array = np.zeros(4)
    if (array > 0).any():
        array[array > 0] = 1
    loss = x.sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
