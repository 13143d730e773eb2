"""The inner helper moves the auxiliary model only."""
import torch
from torch import nn


def place(part):
    part.train()
    return part.cuda()


def prepare(main, extra):
    return main, place(extra)


model, extra = nn.Linear(6, 6), nn.Linear(6, 1)
model.cuda()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)  # never: XP203
prepare(model, extra)
for step in range(10):
    x = torch.randn(4, 6).cuda()
    loss = extra(model(x)).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())
