"""Loops that read and set elements of tensors that only their function knows: they run on the host, and copy back."""

import random

import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(8, 8).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
found = torch.zeros(16, device=device)


def others_of(labels):
    others = labels.clone()
    for i, label in enumerate(labels):
        left = list(range(8))
        left.remove(label.item())
        others[i] = random.choice(left)
    return others.to(device)


def table_of(labels, guesses):
    table = torch.zeros(8, 8, device=device)
    for label, guess in zip(labels, guesses):
        table[label.item(), guess.item()] += 1
    return table.argmax(1)


for step in range(100):
    x = torch.randn(16, 8).to(device)
    labels = x.argmax(1)
    out = model(x)
    loss = nn.functional.cross_entropy(out, labels) + nn.functional.cross_entropy(-out, others_of(labels))
    with torch.no_grad():
        x[:, 0] += table_of(labels, out.argmax(1)).sum()
    for i in range(16):
        found[i] = labels[i].item()
        print(i, found[i].item())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
