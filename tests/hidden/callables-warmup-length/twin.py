"""The schedule gives the same length in each step."""
import torch
from torch import nn


class Warmup:
    def __init__(self, start, end):
        self.now, self.end = start, end

    def __call__(self):
        self.now = self.end
        return self.now


def crop(batch, schedule):
    return batch[:, : schedule()]  # never: XP401|XP404


schedule = Warmup(4, 60)
model = nn.GRU(3, 8, batch_first=True).cuda()
optimizer = torch.optim.Adam(model.parameters())
for step in range(100):
    x = crop(torch.randn(4, 64, 3).cuda(), schedule)
    loss = model(x)[0].pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(schedule.now, loss.item())
