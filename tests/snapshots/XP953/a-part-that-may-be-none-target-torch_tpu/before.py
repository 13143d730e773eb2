import torch
import torch_xla.distributed.parallel_loader as pl


def train(model, loader, device, criterion):
    for x, y in pl.MpDeviceLoader(loader, device):
        if y is None:
            continue
        loss = criterion(model(x), y)
        loss.backward()
    for x, weight in pl.MpDeviceLoader(loader, device):
        loss = model(x)
        loss = loss * weight if weight is not None else loss
        loss.mean().backward()
