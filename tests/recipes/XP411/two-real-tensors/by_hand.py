import torch
import torch_xla
from torch import nn
import torch.nn.functional as F

import math

device = torch_xla.device()
model = nn.Linear(8, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
k = torch.arange(2)
C = torch.cos(2 * math.pi * k[:, None] * k / 2).to(device)
S = torch.sin(2 * math.pi * k[:, None] * k / 2).to(device)
inputs = [torch.randn(16, 8) for _ in range(6)]
targets = [torch.randint(0, 4, (16,)) for _ in range(6)]
for x, labels in zip(inputs, targets):
    x = x.to(device)
    labels = labels.to(device)
    out = model(x)
    re, im = out[:, :2], out[:, 2:]
    re, im = (re @ C - im @ S) / 2, (im @ C + re @ S) / 2
    loss = (re.square() + im.square()).sqrt().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
print(f"{loss.item():.5f}")
