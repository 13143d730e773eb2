import numpy as np
import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(4, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
batches = torch.utils.data.DataLoader([(torch.zeros(4), 0)] * 64, batch_size=8)
for batch, labels in batches:
    seen = batch.numpy()
    seen[seen < 0] = 0  # an array of the host
    batch[batch > 9] = 9  # a tensor of the host
    labels = labels.to(device)
    x = model(batch.to(device))
    rows = labels > 3
    y = x * 1
    y[rows] = 1.0  # a mask of fewer dimensions
    y[labels] = 2.0  # places, and no truth values
    y[y > 1] = x[y > 1]
    y[y < 0] = x.mean()
    mask = y < 0
    y = y[0]
    y[mask[0]] = 3.0
    y[mask] = 4.0  # another y by now
    y[0] = 5.0
    y[:2] = 6.0
    loss = y.sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
