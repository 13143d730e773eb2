"""What a function around keeps begins anew in every step, or is cut."""
import torch
from torch import nn

device = torch.device("xla")
model = nn.Linear(16, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def train(steps):
    parts = torch.zeros(1, 16, device=device)
    window = torch.zeros(8, 16, device=device)

    def begin():
        nonlocal parts
        parts = torch.zeros(1, 16, device=device)

    def add(x):
        nonlocal parts, window
        parts = torch.cat([parts, x])
        window = torch.cat([window[1:], x])

    for _ in range(steps):
        begin()
        add(torch.randn(1, 16, device=device))
        loss = model(parts).mean() + model(window).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


train(100)
