"""A training that breaks off where it is good enough asks in every 16th iteration, by what counts them."""

import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(8, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
x, y = torch.randn(16, 8).to(device), torch.randn(16, 1).to(device)


def fitted():
    loss = nn.functional.mse_loss(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss


for step in range(1000):
    loss = fitted()
    if loss.item() < 1e-3 or loss.isnan():
        print("done")
        break


def fit(batches):
    for batch in batches:
        loss = model(batch.to(device)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if loss < 1e-3:
            break


for step in range(1000):
    loss = fitted()
    if 1e-3 > loss:
        break


fit([torch.randn(4, 8)] * 100)
