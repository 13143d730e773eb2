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
    host_others = others.cpu()
    for i, label in enumerate(labels.cpu()):
        left = list(range(8))
        left.remove(label.item())
        host_others[i] = random.choice(left)
    others.copy_(host_others)
    return others.to(device)


def table_of(labels, guesses):
    table = torch.zeros(8, 8, device=device)
    host_table = table.cpu()
    for label, guess in zip(labels.cpu(), guesses.cpu()):
        host_table[label.item(), guess.item()] += 1
    table.copy_(host_table)
    return table.argmax(1)


for step in range(100):
    x = torch.randn(16, 8).to(device)
    labels = x.argmax(1)
    out = model(x)
    loss = nn.functional.cross_entropy(out, labels) + nn.functional.cross_entropy(-out, others_of(labels))
    with torch.no_grad():
        x[:, 0] += table_of(labels, out.argmax(1)).sum()
    host_found, host_labels = found.cpu(), labels.cpu()
    for i in range(16):
        host_found[i] = host_labels[i].item()
        print(i, host_found[i].item())
    found.copy_(host_found)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
