# planted: host-read
# A coroutine reports each step.
import asyncio

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


async def report(step, loss):
    await asyncio.sleep(0)
    print(step, loss.item())  # <- here


async def main():
    for step in range(9):
        loss = train_step(torch.randn(4, 8).to(device)).detach()
        torch_xla.sync()
        await report(step, loss)


asyncio.run(main())
