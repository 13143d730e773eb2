"""Schedules and tables that are made of torch on the host, and schedulers that are stepped alone."""

import math

import torch
import torch.nn as nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def cosine_betas(steps):
    betas = []
    for i in range(steps):
        a = math.cos((i / steps + 0.008) / 1.008 * math.pi / 2) ** 2
        b = math.cos(((i + 1) / steps + 0.008) / 1.008 * math.pi / 2) ** 2
        betas.append(min(1 - b / a, 0.999))
    return torch.tensor(betas, dtype=torch.float32)


def positions(length, width):
    table = torch.zeros(length, width)
    for position in range(length):
        for i in range(0, width, 2):
            table[position, i] = math.sin(position / 10000 ** (i / width))
            table[position, i + 1] = math.cos(position / 10000 ** (i / width))
    return table


betas = cosine_betas(50).to(device)
table = positions(16, 8).to(device)
model = nn.Linear(8, 8).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=2)
rates = []
for _ in range(6):
    rates.append(scheduler.get_last_lr()[0])
    scheduler.step()
print(rates)
