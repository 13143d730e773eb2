"""Each pass of a loop over a few names evaluates, and reads one number: they are read at once, behind the loop."""

import torch
from torch import nn

device = torch.device("xla")
model = nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
data = {name: torch.randn(64, 4) for name in ("train", "val")}


@torch.no_grad()
def evaluated(x):
    total = torch.zeros((), device=device)
    for part in x.chunk(4):
        total += model(part.to(device)).square().mean()
    return total


@torch.no_grad()
def estimate():
    found = {}
    kept_total = []
    for split in ["train", "val"]:
        total = torch.tensor([0.0], device=device)
        for part in data[split].chunk(4):
            total += model(part.to(device)).square().mean()
        kept_total.append(total)
    for split, total in zip(["train", "val"], torch.stack(kept_total).cpu()):
        # the mean over the parts
        total = torch.tensor(total.item()) / 4
        found[split] = total.mean()
    return found


def shown():
    best, places = 0.0, ("train", "val")
    kept_loss = []
    for split in places:
        loss = evaluated(data[split])
        kept_loss.append(loss)
    for split, loss in zip(places, torch.stack(kept_loss).cpu()):
        value = loss.item()

        print(
            f"{split}: {value:.4f}",
            best,
        )
        if value > best:
            best = value
    return best


for step in range(100):
    loss = model(torch.randn(8, 4).to(device)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 10 == 0:
        print(estimate(), shown())
