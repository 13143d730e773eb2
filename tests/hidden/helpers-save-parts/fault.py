"""A helper saves the states of its keyword arguments, here the optimizer's."""
import torch
from torch import nn


def write(path, **parts):
    torch.save({name: part.state_dict() for name, part in parts.items()}, path)  # wants: XP702


model = nn.Linear(5, 5).cuda()
optimizer = torch.optim.Adam(model.parameters())
schedule = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.99)
for epoch in range(3):
    for _ in range(4):
        loss = model(torch.randn(4, 5).cuda()).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    schedule.step()
    write(f"/tmp/hidden_parts_{epoch}.pt", rule=optimizer)
print(loss.item())
