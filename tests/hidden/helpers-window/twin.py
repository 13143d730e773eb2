"""The caller computes the length from a constant."""
import torch
from torch import nn


def cut(x, length):
    return x[:, :length]  # never: XP401|XP404


def curriculum(step, start=4, every=5):
    return start + step // every


model = nn.GRU(3, 6, batch_first=True).cuda()
optimizer = torch.optim.Adam(model.parameters())
for step in range(60):
    x = torch.randn(4, 24, 3).cuda()
    x = cut(x, curriculum(20))  # never: XP401|XP404
    loss = model(x)[0].pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())
