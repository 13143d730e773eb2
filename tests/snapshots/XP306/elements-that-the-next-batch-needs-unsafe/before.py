"""Elements that the next batch needs, that come of images, or that a training step reads: no second loop for these."""

import torch
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("cuda")
model = nn.Linear(4, 10).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
data = [(torch.randn(4), i % 10) for i in range(64)]


@torch.no_grad()
def needed():
    listed, shift = [], 0.0
    for x, y in DataLoader(data, batch_size=16):  # the next batch needs what this one has read
        best = model(x.to(device) + shift).max(1).values
        for i in range(len(y)):
            shift = best[i].item()
            listed.append(shift)
    for x, y in DataLoader(data, batch_size=16):  # whole rows
        out = model(x.to(device))
        for i in range(len(y)):
            listed.append(out[i].tolist())
    for x, y in DataLoader(data, batch_size=16):  # both parts print
        best = model(x.to(device)).max(1).values
        print(len(listed))
        for i in range(len(y)):
            print(best[i].item())
    for x, y in DataLoader(data, batch_size=16):  # ends where the host says
        best = model(x.to(device)).max(1).values
        for i in range(len(y)):
            listed.append(best[i].item())
        if listed[-1] > 3:
            break
    for x, y in DataLoader(data, batch_size=16):  # leaves a batch out
        best = model(x.to(device)).max(1).values
        for i in range(len(y)):
            if best[i].item() > 3:
                return listed
            listed.append(best[i].item())
    best = torch.zeros(16, device=device)
    for x, y in DataLoader(data, batch_size=16):  # one tensor for all batches
        best += model(x.to(device)).max(1).values
        for i in range(len(y)):
            listed.append(best[i].item())
    for x, y in DataLoader(data, batch_size=16):  # and under another name
        best.add_(model(x.to(device)).max(1).values)
        same = best.view(-1)
        for i in range(len(y)):
            listed.append(same[i].item())
    return listed


for epoch in range(10):
    for x, y in DataLoader(data, batch_size=16):
        losses = nn.functional.cross_entropy(model(x.to(device)), y.to(device), reduction="none")
        optimizer.zero_grad()
        losses.mean().backward()
        optimizer.step()
        for i in range(len(y)):
            print(losses[i].item())
    print(needed())
