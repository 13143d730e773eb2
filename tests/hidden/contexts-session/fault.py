"""A session yields model and optimizer as a pair; its user moves the model."""
from contextlib import contextmanager
import torch
from torch import nn


@contextmanager
def session(width):
    model = nn.Linear(width, width)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)  # wants: XP203
    try:
        yield model, optimizer
    finally:
        print("closed")


with session(6) as parts:
    model, optimizer = parts[0].cuda(), parts[1]
    for step in range(10):
        loss = model(torch.randn(2, 6).cuda()).abs().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(loss.item())
