"""The session itself has moved the model."""
from contextlib import contextmanager
import torch
from torch import nn


@contextmanager
def session(width):
    model = nn.Linear(width, width)
    model = model.cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)  # never: XP203
    try:
        yield model, optimizer
    finally:
        print("closed")


with session(6) as parts:
    model, optimizer = parts[0], parts[1]
    for step in range(10):
        loss = model(torch.randn(2, 6).cuda()).abs().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(loss.item())
