import sys

import torch
import torch_xla
from torch import nn

device = torch_xla.device()
model = nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = [torch.randn(2, 4) for _ in range(8)]


def evaluate(epoch):
    model.eval()
    total = torch.tensor([0.0], device=device)
    with torch.no_grad():
        for x in loader:
            total += model(x.to(device)).mean()
            torch_xla.sync()
    total = total.item()

    total /= len(loader)
    print(f"epoch {epoch}: {total:.4f}")


def goes_on():
    total = torch.tensor([0.0], device=device)
    for epoch in range(3):
        with torch.no_grad():
            for x in loader:
                total += model(x.to(device)).mean()
                torch_xla.sync()
        print(epoch, total.item())
        total.zero_()


for epoch in range(2):
    losses = torch.tensor([0.0], device=device)
    for x in loader:
        loss = model(x.to(device)).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses += loss.detach()
        torch_xla.sync()
    print(f"epoch {epoch} mean {losses.item() / len(loader):.4f}")
    evaluate(epoch)
    print(f"epoch {epoch} is done")  # behind what evaluate() prints, and not in the closure above it
goes_on()
