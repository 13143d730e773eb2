import random

import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(8, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
inputs = torch.randn(1000, 8, device=device)
random.seed(0)
start = random.randint(0, 900)
for step in range(1000):
    loss = model(inputs[start : start + 32]).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
