import torch
import torch_xla
from torch import nn

ROWS = []


def add(value):
    ROWS.append(value)


def dump():
    print(" ".join(f"{value:.4f}" for value in ROWS))
    ROWS.clear()


device = torch_xla.device()
model = nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step, x in enumerate(torch.rand(16, 8, 4)):
    loss = model(x.to(device)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    add(loss.item())
    if step % 4 == 3:
        dump()  # xlaport: ignore[XP305]
