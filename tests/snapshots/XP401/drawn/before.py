import random

import numpy as np
import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(8, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
images = torch.randn(4, 3, 64, 64).to(device)
for step in range(1000):
    top = random.randint(0, 32)
    left = int(np.random.uniform(0, 32))
    size = int(torch.randint(16, 32, (1,)))
    turn = torch.randint(0, 64, (1,)).item()
    start = torch.randint(0, 32, (1,))
    crop = images[:, :, top : top + 32, left : left + 32]
    loss = model(torch.roll(crop, turn, -1)[..., :8]).mean() + images[:, :, start:].mean()
    loss = loss + nn.functional.interpolate(images, size=size).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
