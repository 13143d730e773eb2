# x.cuda(async=True) is an old spelling
import torch

text = "target.cuda(async=True)"


def step(model, batch, target, device):
    batch = batch.to(device, async = True)
    target = target.cuda(
        0,
        async=True,  # é: async=True
    )
    weight = batch.type(torch.FloatTensor, async=False).copy_(batch, async=True)
    return model(batch), weight, text


async def fetch(session):
    await session.get()
