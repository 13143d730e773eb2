def move(batch, device):
    return batch.to(device, non_blocking=True)
