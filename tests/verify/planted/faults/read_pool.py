# planted: host-read
# A pool of threads turns the losses into numbers.
from concurrent.futures import ThreadPoolExecutor

import torch
import torch_xla
from torch import nn

device = torch_xla.device()
torch.manual_seed(0)
model = nn.Linear(8, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def train_step(x):
    optimizer.zero_grad()
    loss = model(x).pow(2).mean()
    loss.backward()
    optimizer.step()
    return loss


losses = []
with ThreadPoolExecutor(1) as pool:
    for step in range(9):
        loss = train_step(torch.randn(4, 8).to(device)).detach()
        torch_xla.sync()
        losses.append(pool.submit(loss.item))  # <- here
        losses[-1].result()
