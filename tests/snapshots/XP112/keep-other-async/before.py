# x.cuda(async=True)
text = "target.cuda(async=True)"


async def fetch(session, target, device):
    await session.get(text)
    return target.to(device, non_blocking=True)
