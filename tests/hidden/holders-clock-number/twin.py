"""The slice is bounded by the clock's fixed width."""
import torch
from torch import nn


class Clock:
    def __init__(self, width):
        self.width = width
        self.now = 1

    def tick(self):
        self.now = self.now % 30 + 1


clock = Clock(12)
model = nn.Sequential(nn.Embedding(99, 16), nn.Linear(16, 1)).cuda()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for _ in range(25):
    ids = torch.randint(99, (4, 30), device="cuda")
    loss = model(ids[:, : clock.width]).pow(2).mean()  # never: XP401|XP404
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    clock.tick()
print(loss.item())
