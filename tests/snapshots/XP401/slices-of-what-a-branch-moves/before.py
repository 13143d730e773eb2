import argparse
import os

import numpy as np
import torch
import torch_xla
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--xla", action="store_true")
args = parser.parse_args()


def columns(data, count):
    rows = data.size(0) // count
    data = data.narrow(0, 0, rows * count).view(count, -1).t().contiguous()
    if args.xla:
        data = data.to(torch_xla.device())
    return data


def part(source, i, length):
    return source[i : i + min(length, len(source) - i)]


text = torch.load("text.pt") if os.path.exists("text.pt") else torch.arange(1000)
data = columns(text, 20)
model = nn.Embedding(1000, 1).to(torch_xla.device())
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
i = 0
while i < data.size(0):
    length = int(np.random.normal(9, 2))
    loss = model(part(data, i, length)).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    i += length
