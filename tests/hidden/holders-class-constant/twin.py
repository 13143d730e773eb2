"""The constant is a label of the report."""
import torch
from torch import nn


class Defaults:
    rate = 0.1
    where = "cuda"  # never: XP103


class Settings(Defaults):
    steps = 8


settings = Settings()
target = "cpu"
model = nn.Linear(3, 1).to(target)
optimizer = torch.optim.SGD(model.parameters(), lr=settings.rate)
for _ in range(settings.steps):
    loss = model(torch.ones(4, 3).to(target)).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print("ported from", settings.where.upper(), loss.item())
