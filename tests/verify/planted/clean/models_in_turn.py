# A model and an optimizer for each fold, after a rate that falls to 0, and a rebuilt model beside one that rests.
import torch
import torch_xla
from torch import nn

device = torch_xla.device()
kept = []


def fold():
    model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 2)).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: 1.0 if step < 4 else 0.0)
    kept.append(optimizer)
    for _ in range(8):
        for other in kept:
            other.zero_grad()
        model(torch.randn(4, 8).to(device)).pow(2).mean().backward()
        for other in kept:
            other.step()
        schedule.step()
        torch_xla.sync()


for _ in range(3):
    fold()
