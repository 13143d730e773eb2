"""A branch whose sides write into tensors of the host: there the device cannot choose."""

import torch
from torch import nn
from torch.utils.data import DataLoader

model = nn.Linear(4, 2).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x, labels in DataLoader([(torch.zeros(4), 1)] * 64, batch_size=8):
    x, labels = x.cuda(), labels.cuda()
    out = model(x)
    weights, losses = torch.zeros(8), torch.zeros(8)
    for j in range(1, 8):
        distance = ((out[0] - out[j]) ** 2).sum() ** 0.5
        if labels[j] == labels[0] and distance > 0.2:
            weights[j] = torch.exp(distance)
            losses[j] = distance - 0.2
    loss = (weights * losses).sum() / (weights.sum() + 1e-5)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
