"""Unpacking a pair gives the trained model another name, which is moved."""
import torch
from torch import nn


def networks():
    return nn.GRU(6, 12, batch_first=True), nn.Linear(12, 3)


encoder, head = networks()
pair = (encoder, head)
second, first = pair
optim = torch.optim.Adagrad(head.parameters(), lr=0.05)  # wants: XP203
second.cuda()
first.cuda()
for _ in range(10):
    x = torch.randn(4, 7, 6, device="cuda")
    y = torch.randint(3, (4,), device="cuda")
    states, _ = encoder(x)
    loss = nn.functional.cross_entropy(head(states[:, -1]), y)
    optim.zero_grad()
    loss.backward()
    optim.step()
print("trained", loss.item())
