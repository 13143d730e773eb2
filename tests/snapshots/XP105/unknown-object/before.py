def move(batch, device):
    return batch.pin_memory().to(device, non_blocking=True)
