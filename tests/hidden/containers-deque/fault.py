"""A deque of losses is averaged and shown in each step."""
from collections import deque
import torch
from torch import nn

recent = deque(maxlen=5)
model = nn.Linear(4, 4).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(20):
    x = torch.randn(8, 4).cuda()
    loss = model(x).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    recent.append(loss.detach())
    mean = sum(recent) / len(recent)
    print(f"{step} {mean:.3f}")  # wants: XP301|XP302|XP303|XP304|XP305|XP306|XP308
