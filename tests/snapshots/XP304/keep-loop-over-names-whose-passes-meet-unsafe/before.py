"""Loops over a few names of which a pass needs what another one reads, or that run once: each stays as it is."""

import torch
from torch import nn

device = torch.device("xla")
model = nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
data = {name: torch.randn(64, 4) for name in ("train", "val")}
seen = []


@torch.no_grad()
def evaluated(x, scale=1.0):
    return model(x.to(device)).square().mean() * scale


def told(x):
    print("evaluating")
    return evaluated(x)


def remembered(x):
    return evaluated(x, len(seen))


class Best:
    def __init__(self):
        self.scale = 1.0

    def scaled(self, x):
        self.scale += 1.0
        return evaluated(x, self.scale)

    def found(self):
        losses = {}
        for split in ["train", "val"]:
            loss = self.scaled(data[split])
            losses[split] = loss.item() * self.scale
        return losses


def estimate(names, buffer):
    found, scale, last = {}, 1.0, None
    for split in ["train", "val"]:  # the next pass needs it
        loss = evaluated(data[split], scale)
        scale = loss.item()
    for split in ["train", "val"]:  # both print
        loss = told(data[split])
        print(loss.item())
    for split in ["train", "val"]:  # ends early
        loss = evaluated(data[split])
        if loss.item() > 1.0:
            break
    for split in names:  # nobody knows how many
        loss = evaluated(data[split])
        found[split] = loss.item()
    for split in ["train", "val"]:  # the first part asks a list
        loss = evaluated(data[split], len(found))
        found[split] = loss.item()
    for split in ["train", "val"]:  # and so does what it calls
        loss = remembered(data[split])
        seen.append(loss.item())
    for split in ["train", "val"]:  # one tensor for all passes
        buffer.copy_(evaluated(data[split]))
        found[split] = buffer.item()
    total = torch.zeros((), device=device)
    for split in ["train", "val"]:  # a sum for all passes
        total += evaluated(data[split])
        found[split] = total.item()
    for split in ["train", "val"]:  # draws numbers
        loss = evaluated(data[split]) + torch.rand(()).to(device)
        found[split] = loss.item() + torch.rand(()).item()
    for split in ["train", "val"]:  # is needed behind the loop
        last = evaluated(data[split])
        found[split] = last.item()
    for split in ["train", "val"]:  # two tensors
        loss, x = evaluated(data[split]), data[split].to(device).mean()
        found[split] = loss.item() + x.item()
    for split in ["train", "val"]:  # what is kept lies on the TPU
        loss = evaluated(data[split])
        print(loss.item())
        found[split] = loss
    return found, last * scale


best, buffer = Best(), torch.zeros((), device=device)
for step in range(100):
    loss = model(torch.randn(8, 4).to(device)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 10 == 0:
        print(estimate(list(data), buffer), best.found())
for split in ["train", "val"]:  # runs once
    loss = evaluated(data[split])
    print(loss.item())
