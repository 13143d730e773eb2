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
    y.t()[labels > 5] = 1.0  # a mask of fewer dimensions, perhaps
    y[labels] = 2.0  # places, and no truth values
    y[y > 1] = torch.randn(3, device=device)  # one for each true place
    y[y > 1] = x[x > 1]  # another mask
    (y * 2)[rows] *= 2
    y[y > 2] **= 0.5
    y[y > 3] *= x[y > 3]
    y[labels > 4] = x[labels > 4].exp()
    y[rows] += x[rows].exp()
    chosen = x[rows].exp()
    y[rows] = chosen
    y[0] = 5.0
    y[:2] = 6.0
    loss = y.sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
