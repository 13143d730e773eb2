import random

import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(8, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(1000):
    x = torch.randn(4, 8, device=device)
    forced = random.random() < 0.5
    x = torch.tanh(x) if forced else x
    if random.random() < 0.1:
        x = x * 2
    for _ in range(3):
        x = x + 1 if forced else x
        print("again" if random.random() < 0.5 else "so")
    loss = model(x).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
