"""A decorator with functools.wraps moves the model that the decorated factory returns with its optimizer."""
import functools

import torch
from torch import nn


def on_gpu(make):
    @functools.wraps(make)
    def wrapper(*args, **kwargs):
        model, *rest = make(*args, **kwargs)
        return (model.cuda(), *rest)

    return wrapper


@on_gpu
def build(features, lr=0.01):
    model = nn.Sequential(nn.Linear(features, 16), nn.ReLU(), nn.Linear(16, 3))
    optimizer = torch.optim.RMSprop(model.parameters(), lr=lr)  # wants: XP203
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 5)
    return model, optimizer, scheduler


model, optimizer, scheduler = build(7, lr=0.02)
for epoch in range(3):
    for _ in range(8):
        loss = nn.functional.cross_entropy(model(torch.randn(9, 7).cuda()), torch.randint(3, (9,)).cuda())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    scheduler.step()
print(loss.item())
