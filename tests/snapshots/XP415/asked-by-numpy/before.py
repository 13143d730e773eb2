"""NumPy makes an array of what it is asked about: of a tensor of the device, that raises."""

import numpy as np
import torch
from numpy import isfinite
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("cuda")
model = nn.Linear(4, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for step, x in enumerate(DataLoader(torch.zeros(8, 4))):
    if np.isnan(x).any():  # a batch of the host
        continue
    loss = model(x.to(device)).mean()
    if np.isnan(loss):
        print("skipped")
        continue
    assert isfinite(loss.detach()), "infinite"
    kept = loss.detach().cpu().numpy()
    if np.isinf(kept):
        raise RuntimeError
    if step % 100 == 0 and np.isnan(loss):
        raise RuntimeError
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
