"""The function gets the loss's weight, a host number in an array."""
import numpy as np
import torch
from torch import nn

HISTORY = {"loss": []}


def log(**values):
    for key, value in values.items():
        HISTORY[key].append(value.item())  # never: XP301|XP302|XP303|XP304|XP305|XP306|XP308


weights = np.linspace(0, 1, 20)
model = nn.Sequential(nn.Linear(4, 4), nn.Softplus()).cuda()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for step in range(20):
    x = torch.rand(3, 4).cuda()
    loss = (model(x) * float(weights[step])).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    log(loss=weights[step])
print(sum(HISTORY["loss"]))
