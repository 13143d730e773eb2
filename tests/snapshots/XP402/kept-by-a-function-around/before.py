"""A function within joins to what one around keeps, or the module."""
from functools import partial

import torch
from torch import nn

device = torch.device("xla")
model = nn.Sequential(nn.Embedding(30, 16), nn.Linear(16, 30)).to(device).eval()
join = partial(torch.cat, dim=1)
memory = torch.zeros(4, 1, 16, device=device)


def sampler(start):
    tokens = start

    def advance():
        nonlocal tokens
        new = model(tokens)[:, -1].argmax(-1, keepdim=True)
        tokens = join((tokens, new))
        return new

    return advance


def remember(x):
    global memory
    memory = torch.cat([memory, x])
    return memory.mean()


advance = sampler(torch.zeros(2, 1, dtype=torch.long, device=device))
head = nn.Linear(16, 1).to(device)
optimizer = torch.optim.SGD(head.parameters(), lr=0.1)
with torch.inference_mode():
    for _ in range(24):
        print(advance())
for _ in range(100):
    loss = head(torch.randn(4, 1, 16, device=device)).mean() + remember(torch.randn(4, 1, 16, device=device))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
