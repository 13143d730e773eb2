import random

import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(4, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def played(passes):
    found = []
    while len(found) < passes:
        if random.random() < 0.1:
            action = 0
        else:
            action = model(torch.zeros(4).to(device)).argmax().item()
        found.append(action)
    return found


for step in range(64):
    loss = model(torch.ones(8, 4, device=device)).sum()
    loss.backward()
    optimizer.step()
    print(played(5))
