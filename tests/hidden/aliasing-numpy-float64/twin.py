"""The alias makes float32."""
import numpy as np
import torch
from torch import nn

rng = np.random.default_rng(0)
draw = lambda size: rng.standard_normal(size).astype(np.float32)
wrap = torch.from_numpy
model = nn.Linear(4, 1).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(10):
    x = torch.randn(6, 4).cuda()
    noise = wrap(draw((6, 1)))
    y = noise.cuda()  # never: XP501
    loss = (model(x) - y).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())
