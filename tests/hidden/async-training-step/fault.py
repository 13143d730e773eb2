"""An async generator brings the batches, and a coroutine makes the steps."""
import asyncio

import torch
from torch import nn

model = nn.Linear(8, 8).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


async def batches(count):
    for _ in range(count):
        await asyncio.sleep(0)
        yield torch.randn(4, 8)


async def update(x):
    optimizer.zero_grad()
    loss = model(x.cuda()).pow(2).mean()
    loss.backward()
    optimizer.step()
    return loss


async def main():
    async for x in batches(20):  # wants: XP201
        loss = await update(x)
    print(loss.item())


asyncio.run(main())
