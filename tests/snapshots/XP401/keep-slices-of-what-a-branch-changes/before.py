import sys

import numpy as np
import torch
import torch_xla
from torch import nn


def columns(data):
    if len(sys.argv) > 1:
        data = np.asarray(data)
    return data


data = columns(torch.load("text.pt"))
model = nn.Embedding(1000, 1).to(torch_xla.device())
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
i = 0
while i < len(data):
    loss = model(torch.as_tensor(data[i : i + 9]).to(torch_xla.device())).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    i += 9
