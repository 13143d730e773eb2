"""A helper's helper moves the model, after the optimizer was built."""
import torch
from torch import nn


def place(part):
    part.train()
    return part.cuda()


def prepare(main, extra):
    place(extra)
    return place(main), extra


model, extra = nn.Linear(6, 6), nn.Linear(6, 1)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)  # wants: XP203
prepare(model, extra)
for step in range(10):
    x = torch.randn(4, 6).cuda()
    loss = extra(model(x)).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())
