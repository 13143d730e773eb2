"""What a failed check tells is computed there alone: a closure would compute it in each step."""

import torch
from torch import nn

device = torch.device("xla")
model = nn.Linear(4, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
losses, names = [], {}


def describe(model):
    torch.save(model.state_dict(), "broken.pt")
    return "broken.pt"


for i in range(1000):
    x = torch.randn(8, 4, device=device)
    loss = model(x).square().mean()
    if (x > 3).any():
        raise ValueError(f"large after {losses[-1]}")
    if loss > 9:
        print("large", names[i])
    if loss > 8:
        print("large, see", describe(model))
    if loss > 7:
        print("large", file=open("log.txt", "a"))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
