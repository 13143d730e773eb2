import random

import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(8, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
average = torch.zeros(8, device=device)
for step in range(1000):
    x = torch.randn(16, 8, device=device)
    x = x * step + step / 2 - step % 7
    x = x / (step + 1) // 3 % (step + 5)
    x = x.clamp(min=-step, max=step).masked_fill(x > step, step)
    x = nn.functional.dropout(x, p=1 / (step + 2))
    x = torch.lerp(x, x.cos(), 1 / (step + 2)).add(x, alpha=step).add_(x, alpha=0.1 * step)
    x = torch.where(x < step, x, step) + torch.full((8,), step, device=device) + torch.tensor(step, device=device)
    x = nn.functional.leaky_relu(x, 0.1 / (step + 1)) + nn.functional.softplus(x, beta=step + 1)
    average.mul_(1 - 1 / (step + 2)).add_(x.mean(0), alpha=1 / (step + 2))
    loss = torch.softmax(model(x) / (1 + step / 100), -1).mean() + min(1.0, step / 500) * x.mean()
    loss = loss * 2.0**step * random.random()
    nn.utils.clip_grad_norm_(model.parameters(), 1 + step)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
