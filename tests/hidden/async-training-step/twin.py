"""The coroutine only looks at the host's batch."""
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
    return x.pow(2).mean()


async def main():
    async for x in batches(20):  # never: XP201
        loss = await update(x)
    print(loss.item())


asyncio.run(main())
