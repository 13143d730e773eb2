# x.cuda(async=True) is an old spelling
import torch

text = "target.cuda(async=True)"


def step(model, batch, target, device):
    batch = batch.to(device, non_blocking = True)
    target = target.cuda(
        0,
        non_blocking=True,  # é: async=True
    )
    weight = batch.type(torch.FloatTensor, non_blocking=False).copy_(batch, non_blocking=True)
    return model(batch), weight, text


async def fetch(session):
    await session.get()
