"""The generator gives the same length for ever."""
import torch
from torch import nn


def lengths(first):
    length = first
    while True:
        yield length
        length += 0


model = nn.LSTM(4, 8, batch_first=True).cuda()
optimizer = torch.optim.Adam(model.parameters())
sizes = lengths(3)
for step in range(25):
    x = torch.randn(2, 40, 4).cuda()
    size = next(sizes)
    out, _ = model(x[:, :size])  # never: XP401|XP404
    loss = out.pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())
