import numpy as np
import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(8, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
history, inputs = torch.zeros(1000), torch.randn(1004, 8)
rows, means, names = np.zeros(1000), [], list(range(1000))
table = {n: n for n in range(1000)}
for step in range(1000):
    loss = model(torch.randn(4, 8, device=device)).mean()
    history[step] = loss.item()
    rows[step] = step
    means.append(step)
    x = inputs[step : step + 4].to(device)
    y = table[step]
    loss = loss + model(x).mean() + names[step]
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
