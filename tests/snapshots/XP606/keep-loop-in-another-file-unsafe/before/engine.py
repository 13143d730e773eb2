import torch
import torch_xla.distributed.parallel_loader as pl


def epoch(model, optimizer, loader, device):
    for (x,) in pl.MpDeviceLoader(loader, device):
        optimizer.zero_grad()
        model(x).mean().backward()
        optimizer.step()
