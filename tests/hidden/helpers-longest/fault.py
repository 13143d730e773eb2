"""A helper reads the longest length from the device, for a slice."""
import torch
from torch import nn


def bound(lengths):
    return int(lengths.max())  # or: XP422|XP301|XP302|XP303|XP304|XP305|XP306|XP308


model = nn.Sequential(nn.Embedding(60, 8), nn.Linear(8, 2)).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(12):
    ids = torch.randint(60, (6, 20)).cuda()
    lengths = torch.randint(5, 21, (6,)).cuda()
    n = bound(lengths)
    logits = model(ids[:, :n])  # wants: XP422
    loss = logits.logsumexp(-1).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())
