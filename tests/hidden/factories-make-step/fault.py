"""A factory returns the function that steps; the loop only calls it."""
import torch
from torch import nn


def make_step(model, optimizer):
    seen = []

    def run(batch):
        optimizer.zero_grad()
        model(batch.cuda()).pow(2).mean().backward()
        optimizer.step()

    return run


model = nn.Linear(7, 7).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
work = [make_step(model, optimizer)]
data = torch.randn(80, 7)
for batch in data.split(8):  # wants: XP201
    for job in work:  # or: XP201
        job(batch)
print("finished", len(data))
